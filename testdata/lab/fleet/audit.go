// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// event is what an audit log says of one request.
type event struct {
	Verb             string
	RequestURI       string
	UserAgent        string
	User             struct{ Username string }
	ImpersonatedUser struct{ Username string }
	ObjectRef        struct{ Resource, Subresource, Namespace, Name string }
	ResponseStatus   struct{ Code int }
}

// asked prints what perch asked of the API from a line of the audit log on: USER VERB RESOURCE[/SUBRESOURCE] NAMESPACE/NAME CODE.
// USER is the one it acted as.
func asked(from int) {
	file, err := os.Open(filepath.Join(os.Getenv("LAB_RUN"), "audit.log"))
	must(err)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for n := 0; lines.Scan(); n++ {
		var e event
		if n < from || json.Unmarshal(lines.Bytes(), &e) != nil || !strings.HasPrefix(e.UserAgent, "perch/") {
			continue
		}
		user, what := e.ImpersonatedUser.Username, e.ObjectRef.Resource
		if user == "" {
			user = e.User.Username
		}
		if what == "" {
			what = e.RequestURI
		}
		if e.ObjectRef.Subresource != "" {
			what += "/" + e.ObjectRef.Subresource
		}
		fmt.Printf("%s %s %s %s/%s %d\n", user, e.Verb, what, e.ObjectRef.Namespace, e.ObjectRef.Name, e.ResponseStatus.Code)
	}
	must(lines.Err())
}
