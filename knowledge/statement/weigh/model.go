// Package weigh tells by weights of words what a sentence is: a rule, the reason for one,
// or neither. The weights come from examples (tools/train): a multinomial logistic
// regression over the words of a sentence and of those next to it.
package weigh

import (
	_ "embed"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"sort"
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

// weights are a byte for each class; none for a feature that weighs nothing.
func (m *Model) weights(f Feature) string {
	var key [4]byte
	binary.BigEndian.PutUint32(key[:], uint32(f))
	row := func(i int) string { return m.rows[i*rowSize : (i+1)*rowSize] }
	at := sort.Search(m.Features(), func(i int) bool { return row(i)[:len(key)] >= string(key[:]) })
	if at == m.Features() || row(at)[:len(key)] != string(key[:]) {
		return ""
	}
	return row(at)[len(key):]
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
