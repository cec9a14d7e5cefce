// Package weigh tells by weights of words and forms what a sentence is: a rule, the reason
// for one, or neither. The weights come from examples (tools/train): a multinomial logistic
// regression over the words of a sentence, the forms that it has, and those next to it.
package weigh

import (
	_ "embed"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"
)

// Class is what a sentence is.
type Class int

const (
	Nothing Class = iota
	Decision
	Instruction
	Reason
	Lasting // something that holds for later: of several sentences together
	classes
)

// Weights are those of a feature, by class, as [Written].
type Weights [classes]int8

// Written is a weight as it is written down: in hundredths, none greater than 1.27.
func Written(weight float64) int8 {
	const most = 127
	return int8(max(-most, min(most, math.Round(weight*scale))))
}

const scale = 100

// Model is what was learned of examples.
type Model struct {
	rows string // a row for each feature that weighs something, in ascending order
}

// rowSize is the length of a row: the feature, most significant byte first, and its weights.
const rowSize = 4 + int(classes)

// ModelOf is the model of some weights.
func ModelOf(all map[Feature]Weights) *Model {
	var rows strings.Builder
	for _, f := range slices.Sorted(maps.Keys(all)) {
		rows.Write(binary.BigEndian.AppendUint32(nil, uint32(f)))
		for _, v := range all[f] {
			rows.WriteByte(byte(v))
		}
	}
	return &Model{rows.String()}
}

// Rows are the weights as they are written down.
func (m *Model) Rows() string { return m.rows }

// Features is how many features weigh something.
func (m *Model) Features() int { return len(m.rows) / rowSize }

//go:embed weights
var rows string

// sum adds up the weights of features, by class.
func (m *Model) sum(features []Feature) (z [classes]float64) {
	for _, f := range features {
		w := m.weights(f)
		for i := range len(w) {
			z[i] += float64(int8(w[i])) / scale
		}
	}
	return z
}

// weights are a byte for each class; none for a feature that weighs nothing. Features are
// hashes and so spread evenly: how far off one is tells about where to look next.
func (m *Model) weights(f Feature) string {
	last, at := m.Features()-1, 0
	if last < 0 {
		return ""
	}
	for range 3 {
		off := int64(f) - int64(m.feature(at))
		at = max(0, min(last, at+int(off*int64(last)>>32)))
	}
	for at > 0 && m.feature(at) > f {
		at--
	}
	for at < last && m.feature(at) < f {
		at++
	}
	if m.feature(at) != f {
		return ""
	}
	return m.rows[at*rowSize+4 : (at+1)*rowSize]
}

// feature is that of a row.
func (m *Model) feature(at int) Feature {
	key := m.rows[at*rowSize : at*rowSize+4]
	return Feature(key[0])<<24 | Feature(key[1])<<16 | Feature(key[2])<<8 | Feature(key[3])
}

func logistic(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// Softmax makes shares of logarithms, which together are 1.
func Softmax(z []float64) {
	most, sum := slices.Max(z), 0.0
	for i := range z {
		z[i] = math.Exp(z[i] - most)
		sum += z[i]
	}
	for i := range z {
		z[i] /= sum
	}
}
