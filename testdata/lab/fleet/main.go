// SPDX-License-Identifier: Apache-2.0

// Command fleet brings canaries of a running lab into known states, and records what real Flagger does with them.
package main

import (
	"flag"
	"os"
	"strconv"
)

const usage = `usage: fleet apply -as client-side|server-side|helm|update [-manager NAME] FILE...
       fleet dump FILE NAMESPACE...
       fleet incident DIR
       fleet settle SHAPE...
       fleet asked LINE
       fleet upgrade DIR FROM TO [SHAPE...]
       fleet configs DIR RELEASE
       fleet webhooks DIR RELEASE`

func main() {
	if len(os.Args) < 3 {
		fatal("%s", usage)
	}
	c := connect()
	switch verb, args := os.Args[1], os.Args[2:]; verb {
	case "apply":
		flags := flag.NewFlagSet("apply", flag.ExitOnError)
		as := flags.String("as", "server-side", "how to apply")
		manager := flags.String("manager", "kubectl", "field manager")
		flags.Parse(args)
		apply := named(*as, *manager)
		for _, path := range flags.Args() {
			text, err := os.ReadFile(path)
			must(err)
			for _, o := range parse(text) {
				if o = apply(c, o, nil); o.GetKind() == "CustomResourceDefinition" {
					c.waitServed(o.GetName())
				}
			}
		}
	case "dump":
		c.dump(args[0], everything, args[1:]...)
	case "incident":
		incident(c, args[0])
	case "settle":
		settle(c, fleetOf(args))
	case "asked":
		from, err := strconv.Atoi(args[0])
		must(err)
		asked(from)
	case "upgrade":
		if len(args) < 3 {
			fatal("%s", usage)
		}
		upgrade(c, args[0], args[1], args[2], args[3:])
	case "configs", "webhooks":
		if len(args) != 2 {
			fatal("%s", usage)
		}
		map[string]func(*client, string, string){"configs": configs, "webhooks": webhooks}[verb](c, args[0], args[1])
	default:
		fatal("%s", usage)
	}
}
