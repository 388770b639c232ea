// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"

	customizations "github.com/argoproj/argo-cd/v3/resource_customizations"
	lua "github.com/yuin/gopher-lua"
)

// health prints Argo CD's health of each object, by the script in a file or by the one that Argo CD has itself.
func health(args []string) error {
	objects, err := manifests(os.Stdin)
	if err != nil {
		return err
	}
	script, err := healthScript(args[0])
	if err != nil {
		return err
	}
	for _, o := range objects {
		status, message, err := judge(script, o)
		if err != nil {
			return fmt.Errorf("%s: %w", o.GetName(), err)
		}
		fmt.Printf("%s\t%s\t%s\n", o.GetName(), status, message)
	}
	return nil
}

func healthScript(name string) (string, error) {
	if name != "bundled" {
		text, err := os.ReadFile(name)
		return string(text), err
	}
	text, err := customizations.Embedded.ReadFile("flagger.app/Canary/health.lua")
	return string(text), err
}

// judge runs a script as Argo CD does: of Lua's libraries it has the basic ones, `obj` is the object, and a table comes back.
func judge(script string, o *object) (status, message string, err error) {
	l := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer l.Close()
	for name, open := range map[string]lua.LGFunction{
		lua.LoadLibName: lua.OpenPackage, lua.BaseLibName: lua.OpenBase, lua.TabLibName: lua.OpenTable, lua.StringLibName: lua.OpenString,
	} {
		if err := l.CallByParam(lua.P{Fn: l.NewFunction(open), Protect: true}, lua.LString(name)); err != nil {
			return "", "", err
		}
	}
	l.SetGlobal("obj", value(l, o.Object))
	if err := l.DoString(script); err != nil {
		return "", "", err
	}
	answer, ok := l.Get(-1).(*lua.LTable)
	if !ok {
		return "", "", fmt.Errorf("the script gives no table")
	}
	return lua.LVAsString(answer.RawGetString("status")), lua.LVAsString(answer.RawGetString("message")), nil
}

func value(l *lua.LState, v any) lua.LValue {
	switch v := v.(type) {
	case map[string]any:
		t := l.NewTable()
		for key, item := range v {
			t.RawSetString(key, value(l, item))
		}
		return t
	case []any:
		t := l.NewTable()
		for _, item := range v {
			t.Append(value(l, item))
		}
		return t
	case string:
		return lua.LString(v)
	case bool:
		return lua.LBool(v)
	case int64:
		return lua.LNumber(v)
	case float64:
		return lua.LNumber(v)
	}
	return lua.LNil
}
