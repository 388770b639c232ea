// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// serveLogs answers what the API server asks of a node for `kubectl logs`, and gives the port.
func (k *kubelet) serveLogs() int {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /containerLogs/{namespace}/{pod}/{container}", k.logs)
	port := freePort()
	server := &http.Server{Addr: "127.0.0.1:" + strconv.Itoa(port), Handler: mux}
	go func() {
		log.Print(server.ListenAndServeTLS(filepath.Join(k.run, "server.crt"), filepath.Join(k.run, "server.key")))
	}()
	return port
}

func (k *kubelet) logs(w http.ResponseWriter, r *http.Request) {
	base := filepath.Join(k.run, "pods", r.PathValue("namespace")+"_"+r.PathValue("pod")+"_"+r.PathValue("container"))
	path := base + ".log"
	if r.URL.Query().Get("previous") == "true" {
		path = before(base)
	}
	file, err := os.Open(path)
	if err != nil {
		http.Error(w, "there is no such log", http.StatusNotFound)
		return
	}
	defer file.Close()
	if lines, err := strconv.Atoi(r.URL.Query().Get("tailLines")); err == nil {
		text, _ := io.ReadAll(file)
		w.Write(lastLines(text, lines))
	}
	for r.Context().Err() == nil {
		io.Copy(w, file)
		if r.URL.Query().Get("follow") != "true" || !exists(base+".pid") {
			break
		}
		http.NewResponseController(w).Flush()
		time.Sleep(200 * time.Millisecond)
	}
}

// before is the log of the attempt before the newest.
func before(base string) string {
	newest, _ := os.Readlink(base + ".log")
	n := 0
	fmt.Sscanf(newest, filepath.Base(base)+".%d.log", &n)
	return fmt.Sprintf("%s.%d.log", base, n-1)
}
