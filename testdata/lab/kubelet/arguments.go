// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"path/filepath"
	"strconv"
	"strings"
)

// Programs that listen where -port says. All pods share the machine's network, so each is given a port of its own unless
// the one it names is free.
var listens = map[string]bool{"flagger": true, "loadtester": true}

// arguments are the container's command and args; without a command the image's entrypoint, which is the binary itself.
func (c *container) arguments(binary string, v *variables) (args []string, port int) {
	if len(c.Command) == 0 {
		args = append(args, "/"+binary)
	}
	for _, list := range [][]string{c.Command, c.Args} {
		for _, arg := range list {
			args = append(args, v.expand(arg))
		}
	}
	if filepath.Base(args[0]) != binary {
		return args, 0
	}
	if strings.HasPrefix(args[0], "/") || c.WorkingDir != "" {
		args[0] = "/" + binary // wherever the image has it
	}
	if !listens[binary] {
		return args, 0
	}
	if port = portOf(args[1:]); port != 0 && isFree(port) {
		return args, port
	}
	port = freePort()
	return append(args, fmt.Sprintf("-port=%d", port)), port
}

// portOf is 0 if no flag names one.
func portOf(args []string) (port int) {
	for i, arg := range args {
		name, value, joined := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
		if name == "port" && !joined && i+1 < len(args) {
			value = args[i+1]
		}
		if name == "port" && strings.HasPrefix(arg, "-") {
			port, _ = strconv.Atoi(value)
		}
	}
	return port
}

func isFree(port int) bool {
	listener, err := net.Listen("tcp", ":"+strconv.Itoa(port))
	if err == nil {
		listener.Close()
	}
	return err == nil
}

// freePort is below the kernel's ephemeral range, so that no client's outgoing port is in the way.
func freePort() int {
	for {
		if port := 20000 + rand.IntN(12000); isFree(port) {
			return port
		}
	}
}
