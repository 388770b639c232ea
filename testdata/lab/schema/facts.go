// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// Fact is what server-side apply and the defaults say about one field.
type Fact struct {
	Atomic  bool     // the list, map or struct is one value
	Set     bool     // a list of unlike scalars
	Keys    []string // a list whose items have keys
	Default string   // JSON; empty: none
}

// readFacts finds the schema text in client-go's source and reads it as server-side apply does.
func readFacts(name string) *schema.Schema {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	check(err)
	var text string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && len(lit.Value) > len(text) {
			text, err = strconv.Unquote(lit.Value)
			check(err)
		}
		return true
	})
	p, err := typed.NewParser(typed.YAMLObject(text))
	check(err)
	return &p.Schema
}

// learn adds the facts to the table; inlined types have theirs in the types that inline them.
func (t *Table) learn(s *schema.Schema) {
	for _, name := range t.names() {
		t.learnType(s, t.Types[name], t.Types[name])
	}
}

func (t *Table) learnType(s *schema.Schema, named, holder *MergedType) {
	def, ok := s.FindNamedType(openAPIName(named))
	if !ok || def.Map == nil {
		return
	}
	if named == holder {
		holder.Atomic = def.Map.ElementRelationship == schema.Atomic
	}
	for _, f := range holder.Fields {
		if f.JSON == "" {
			t.learnType(s, named, t.Types[f.Type])
			continue
		}
		if sf, ok := def.Map.FindField(f.JSON); ok && f.Until == Never && reflect.DeepEqual(f.Fact, Fact{}) {
			f.Fact = t.factOf(s, sf, t.Types[f.Type])
		}
	}
}

func (t *Table) factOf(s *schema.Schema, sf schema.StructField, goType *MergedType) (fact Fact) {
	atom, ok := s.Resolve(sf.Type)
	if !ok {
		panic("unresolved: " + sf.Name)
	}
	own := sf.Type.NamedType == nil || sf.Type.ElementRelationship != nil
	switch {
	case !own:
	case atom.List != nil && len(atom.List.Keys) > 0:
		fact.Keys = atom.List.Keys
	case atom.List != nil && atom.List.ElementRelationship == schema.Associative:
		fact.Set = true
	case atom.List != nil:
		fact.Atomic = true
	case atom.Map != nil:
		fact.Atomic = atom.Map.ElementRelationship == schema.Atomic
	}
	fact.Default = defaultOf(sf, goType)
	return fact
}

// defaultOf leaves out what says nothing: {} of a struct by value, the zero of a scalar by value.
func defaultOf(sf schema.StructField, goType *MergedType) string {
	if sf.Default == nil || goType.Kind == "struct" {
		return ""
	}
	text, err := json.Marshal(sf.Default)
	check(err)
	switch string(text) {
	case `""`, "0", "false", "{}":
		if goType.Kind != "pointer" {
			return ""
		}
	}
	return string(text)
}

// openAPIName turns k8s.io/api/core/v1 and v1.PodSpec into io.k8s.api.core.v1.PodSpec.
func openAPIName(t *MergedType) string {
	path := strings.Split(t.Pkg, "/")
	host := strings.Split(path[0], ".")
	for i, j := 0, len(host)-1; i < j; i, j = i+1, j-1 {
		host[i], host[j] = host[j], host[i]
	}
	_, name, _ := strings.Cut(t.Name, ".")
	return strings.Join(append(append(host, path[1:]...), name), ".")
}
