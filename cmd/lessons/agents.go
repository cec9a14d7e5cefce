package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/project"
)

// chosenAgents are those that were named, else those that are here; at a terminal the person
// chooses among them.
func (c *initCommand) chosenAgents(ctx context.Context, inv *invocation, p *project.Project) ([]*agent.Client, error) {
	hooked := slices.DeleteFunc(slices.Clone(c.Agent), func(name string) bool { return name == "mcp" })
	if len(hooked) < len(c.Agent) && !c.JSON {
		inv.printf("%s", mcpClients)
	}
	if len(c.Agent) > 0 {
		return selectClients(hooked)
	}
	found := p.FindAgents(agent.All)
	chosen := project.Proposed(found, agent.All)
	if c.JSON {
		return chosen, nil
	}
	printAgents(inv, found, chosen)
	if len(found) < 2 || c.Yes || c.DryRun || !inv.sys.interactive {
		return chosen, nil
	}
	usual := strings.Join(namesOf(chosen), ",")
	answer := inv.choose(ctx, fmt.Sprintf("Set up which agents? [%s]", usual))
	if answer == "" {
		return chosen, ctx.Err()
	}
	return selectClients(strings.FieldsFunc(answer, func(r rune) bool { return r == ',' || r == ' ' }))
}

// printAgents says which agents are here, by what that is known, and how to have others.
func printAgents(inv *invocation, found []project.FoundAgent, chosen []*agent.Client) {
	others := lists.Filter(namesOf(agent.All), func(name string) bool { return !slices.Contains(namesOf(chosen), name) })
	for _, f := range found {
		word := "found"
		if !slices.Contains(chosen, f.Client) {
			word = "left out"
		}
		inv.printf("%-8s  %s (%s)\n", word, f.Name, f.By)
	}
	if len(found) == 0 {
		inv.printf("no agent found here; setting up %s\n", strings.Join(namesOf(chosen), ", "))
	}
	if len(others) > 0 {
		inv.printf("others    lessons init --agent %s\n", strings.Join(others, ","))
	}
	inv.printf("\n")
}

func namesOf(clients []*agent.Client) []string {
	return lists.Map(clients, func(c *agent.Client) string { return c.Name })
}

func selectClients(names []string) ([]*agent.Client, error) {
	var chosen []*agent.Client
	for _, name := range names {
		c, err := clientNamed(name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, c)
	}
	return chosen, nil
}
