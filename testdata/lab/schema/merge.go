// SPDX-License-Identifier: Apache-2.0

package main

import "sort"

// Never is the until of what the newest minor still has.
const Never = -1

// MergedField is one field over all minors; Since 0 is "from the oldest".
type MergedField struct {
	Field
	Since, Until int
	Fact         Fact
}

// MergedType is one type over all minors, its fields in every minor's declaration order.
type MergedType struct {
	Type
	Fields []*MergedField
	Atomic bool
}

// Table is all of them by name.
type Table struct {
	Minors []Minor
	Types  map[string]*MergedType
}

func newTable() *Table {
	return &Table{Types: map[string]*MergedType{}}
}

// add merges one more minor; minors come oldest first.
func (t *Table) add(m Minor, types []Type) {
	since := m.Number
	if len(t.Minors) == 0 {
		since = 0
	}
	t.Minors = append(t.Minors, m)
	seen := map[string]bool{}
	for _, n := range types {
		seen[n.Name] = true
		known, ok := t.Types[n.Name]
		if !ok {
			known = &MergedType{Type: n}
			t.Types[n.Name] = known
		}
		if known.Kind != n.Kind || known.Elem != n.Elem || known.Key != n.Key {
			panic("the type changed its nature: " + n.Name)
		}
		known.Type = n
		known.Fields = mergeFields(known.Fields, n.Fields, since, m.Number)
	}
	for name, known := range t.Types {
		if !seen[name] {
			known.Fields = mergeFields(known.Fields, nil, since, m.Number)
		}
	}
}

func same(a, b Field) bool {
	return a.Name == b.Name && a.JSON == b.JSON && a.Type == b.Type
}

// mergeFields keeps the order of the living rows and of the new minor both: a row that is found
// further on in the new minor stays, another ends, and what lies between begins. A field that moved
// so becomes two rows.
func mergeFields(rows []*MergedField, fields []Field, since, minor int) (merged []*MergedField) {
	next := 0
	for _, row := range rows {
		if row.Until != Never {
			merged = append(merged, row)
			continue
		}
		at := find(fields[next:], row.Field)
		if at < 0 {
			row.Until = minor
			merged = append(merged, row)
			continue
		}
		for ; at > 0; at-- {
			merged = append(merged, begin(fields[next], since))
			next++
		}
		row.Field = fields[next] // tags: the newest win
		merged = append(merged, row)
		next++
	}
	for _, f := range fields[next:] {
		merged = append(merged, begin(f, since))
	}
	return merged
}

func find(fields []Field, f Field) int {
	for i := range fields {
		if same(fields[i], f) {
			return i
		}
	}
	return -1
}

func begin(f Field, since int) *MergedField {
	return &MergedField{Field: f, Since: since, Until: Never}
}

func (t *Table) names() (names []string) {
	for name := range t.Types {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
