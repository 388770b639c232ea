// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/openapi3"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/kube-openapi/pkg/spec3"
)

const namespace = "oracle"

// One kind on the server: two clients, one of which turns every write into a dry-run, so that
// tools which know no dry-run (Helm) can be asked too.
type kindAccess struct {
	mapping *meta.RESTMapping
	write   rest.Interface
	dry     rest.Interface
}

type server struct {
	kinds   map[string]kindAccess
	openapi openapi3.Root
}

var kindMappings = []*meta.RESTMapping{
	mapping("apps", "Deployment", "deployments"),
	mapping("apps", "DaemonSet", "daemonsets"),
	mapping("", "Service", "services"),
}

func mapping(group, kind, resource string) *meta.RESTMapping {
	gv := schema.GroupVersion{Group: group, Version: "v1"}
	return &meta.RESTMapping{
		Resource:         gv.WithResource(resource),
		GroupVersionKind: gv.WithKind(kind),
		Scope:            meta.RESTScopeNamespace,
	}
}

func connect(kubeconfig string) (*server, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	config.WarningHandler = rest.NoWarnings{}
	s := &server{kinds: map[string]kindAccess{}}
	for _, m := range kindMappings {
		access := kindAccess{mapping: m}
		if access.write, err = restClient(config, m, false); err != nil {
			return nil, err
		}
		if access.dry, err = restClient(config, m, true); err != nil {
			return nil, err
		}
		s.kinds[m.GroupVersionKind.Kind] = access
	}
	found, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	s.openapi = &cachedRoot{Root: openapi3.NewRoot(found.OpenAPIV3()), specs: map[schema.GroupVersion]*spec3.OpenAPI{}}
	for _, m := range kindMappings {
		if _, err := s.openapi.GVSpec(m.GroupVersionKind.GroupVersion()); err != nil {
			return nil, err
		}
	}
	body := fmt.Sprintf(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`, namespace)
	err = s.kinds["Service"].write.Post().Resource("namespaces").Body([]byte(body)).Do(context.Background()).Error()
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return nil, err
	}
	return s, nil
}

func restClient(config *rest.Config, m *meta.RESTMapping, dry bool) (rest.Interface, error) {
	c := rest.CopyConfig(config)
	gv := m.GroupVersionKind.GroupVersion()
	c.GroupVersion = &gv
	c.APIPath = "/apis"
	if gv.Group == "" {
		c.APIPath = "/api"
	}
	c.NegotiatedSerializer = resource.UnstructuredPlusDefaultContentConfig().NegotiatedSerializer
	if dry {
		c.Wrap(func(next http.RoundTripper) http.RoundTripper { return dryRun{next} })
	}
	return rest.RESTClientFor(c)
}

type dryRun struct{ next http.RoundTripper }

func (d dryRun) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet {
		r = r.Clone(r.Context())
		q := r.URL.Query()
		q.Set("dryRun", metav1.DryRunAll)
		r.URL.RawQuery = q.Encode()
	}
	return d.next.RoundTrip(r)
}

// kubectl reads the specification once a run; openapi3 parses it at each call.
type cachedRoot struct {
	openapi3.Root
	specs map[schema.GroupVersion]*spec3.OpenAPI
}

func (c *cachedRoot) GVSpec(gv schema.GroupVersion) (*spec3.OpenAPI, error) {
	if s, ok := c.specs[gv]; ok {
		return s, nil
	}
	s, err := c.Root.GVSpec(gv)
	if err == nil {
		c.specs[gv] = s
	}
	return s, err
}

func (k kindAccess) client(dry bool) rest.Interface {
	if dry {
		return k.dry
	}
	return k.write
}

func (k kindAccess) request(r *rest.Request, manager string) *rest.Request {
	r = r.Namespace(namespace).Resource(k.mapping.Resource.Resource)
	if manager != "" {
		r = r.Param("fieldManager", manager)
	}
	return r
}

func answer(r *rest.Request) (object, error) {
	raw, err := r.Do(context.Background()).Raw()
	if err != nil {
		return nil, wholeStatus(raw, err)
	}
	return decode(raw)
}

// What Raw returns beside the error is the server's whole Status.
func wholeStatus(raw []byte, err error) error {
	var status metav1.Status
	if json.Unmarshal(raw, &status) == nil && status.Kind == "Status" {
		return &apierrors.StatusError{ErrStatus: status}
	}
	return err
}

func (s *server) get(kind, name string) (object, error) {
	k := s.kinds[kind]
	return answer(k.request(k.write.Get(), "").Name(name))
}

func (s *server) post(o object, manager string, dry bool) (object, error) {
	k := s.kinds[o.kind()]
	return answer(k.request(k.client(dry).Post(), manager).Body(encode(o)))
}

func (s *server) put(o object, manager string, dry bool) (object, error) {
	k := s.kinds[o.kind()]
	return answer(k.request(k.client(dry).Put(), manager).Name(o.name()).Body(encode(o)))
}

func (s *server) patch(o object, how types.PatchType, body []byte, manager string, dry bool) (object, error) {
	k := s.kinds[o.kind()]
	r := k.request(k.client(dry).Patch(how), manager).Name(o.name()).Body(body)
	if how == types.ApplyPatchType {
		r = r.Param("force", "true")
	}
	return answer(r)
}

func (s *server) remove(o object) {
	k := s.kinds[o.kind()]
	k.request(k.write.Delete(), "").Name(o.name()).Do(context.Background())
}

func (s *server) info(o object, dry bool) (*resource.Info, error) {
	decoded, _, err := unstructured.UnstructuredJSONScheme.Decode(encode(o), nil, nil)
	if err != nil {
		return nil, err
	}
	k := s.kinds[o.kind()]
	return &resource.Info{
		Client: k.client(dry), Mapping: k.mapping, Namespace: namespace, Name: o.name(), Object: decoded,
	}, nil
}

// Refused for what it means, by validation, and not for its type or syntax: perch may say anything.
// A patch whose result can't be decoded is Invalid too, with the patch as its field.
func refusedByValidation(err error) bool {
	status, ok := err.(apierrors.APIStatus)
	if !ok { // Helm makes one text of it
		return strings.Contains(err.Error(), "is invalid: ") && !strings.Contains(err.Error(), "is invalid: patch:")
	}
	if status.Status().Reason != metav1.StatusReasonInvalid || status.Status().Details == nil {
		return false
	}
	for _, cause := range status.Status().Details.Causes {
		if cause.Field == "patch" || strings.HasPrefix(cause.Field, "patch") {
			return false
		}
	}
	return true
}

func toObject(o runtime.Object) (object, error) {
	raw, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	return decode(raw)
}
