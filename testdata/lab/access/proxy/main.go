// SPDX-License-Identifier: Apache-2.0

// A proxy on loopback that speaks CONNECT and SOCKS5, told apart by the first byte. It prints its port,
// then a line per connection: how it was asked and where it led. With -user NAME:PASSWORD it wants these.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
)

var user = flag.String("user", "", "NAME:PASSWORD")

func main() {
	flag.Parse()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	for {
		c, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go serve(c)
	}
}

func serve(c net.Conn) {
	defer c.Close()
	r := bufio.NewReader(c)
	first, err := r.Peek(1)
	if err != nil {
		return
	}
	how, to, err := "connect", "", error(nil)
	if first[0] == 5 {
		how = "socks5"
		to, err = socks(r, c)
	} else {
		to, err = connect(r, c)
	}
	fmt.Println(how, to, err == nil)
	if err != nil {
		return
	}
	peer, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer peer.Close()
	if how == "connect" {
		io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
	} else {
		c.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
	}
	go io.Copy(peer, r)
	io.Copy(c, peer)
}

func connect(r *bufio.Reader, c net.Conn) (string, error) {
	request, err := http.ReadRequest(r)
	if err != nil {
		return "", err
	}
	given := request.Header.Get("Proxy-Authorization")
	if *user != "" && given != "Basic "+base64.StdEncoding.EncodeToString([]byte(*user)) {
		io.WriteString(c, "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
		return request.Host, fmt.Errorf("refused")
	}
	if request.Method != http.MethodConnect {
		io.WriteString(c, "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n")
		return request.Host, fmt.Errorf("refused")
	}
	return request.Host, nil
}

// RFC 1928, with RFC 1929 where a user is wanted.
func socks(r *bufio.Reader, c net.Conn) (string, error) {
	if _, err := text(r, 1); err != nil {
		return "", err
	}
	if *user == "" {
		c.Write([]byte{5, 0})
	} else {
		c.Write([]byte{5, 2})
		name, err := text(r, 1)
		if err != nil {
			return "", err
		}
		password, err := text(r, 0)
		if err != nil || name+":"+password != *user {
			c.Write([]byte{1, 1})
			return "", fmt.Errorf("refused")
		}
		c.Write([]byte{1, 0})
	}
	return address(r)
}

// A text with its length before it, after `skip` bytes.
func text(r *bufio.Reader, skip int) (string, error) {
	head := make([]byte, skip+1)
	if _, err := io.ReadFull(r, head); err != nil {
		return "", err
	}
	body := make([]byte, head[skip])
	_, err := io.ReadFull(r, body)
	return string(body), err
}

func address(r *bufio.Reader) (string, error) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(r, head); err != nil {
		return "", err
	}
	host, err := "", error(nil)
	switch head[3] {
	case 1, 4:
		ip := make([]byte, map[byte]int{1: 4, 4: 16}[head[3]])
		_, err = io.ReadFull(r, ip)
		host = net.IP(ip).String()
	case 3:
		host, err = text(r, 0)
	default:
		err = fmt.Errorf("address type %d", head[3])
	}
	port := make([]byte, 2)
	if err == nil {
		_, err = io.ReadFull(r, port)
	}
	return net.JoinHostPort(host, strconv.Itoa(int(binary.BigEndian.Uint16(port)))), err
}
