// SPDX-License-Identifier: Apache-2.0

//go:build !flagger138

package main

import (
	flaggerv1 "github.com/fluxcd/flagger/pkg/apis/flagger/v1beta1"
	"github.com/fluxcd/flagger/pkg/canary"
	clientset "github.com/fluxcd/flagger/pkg/client/clientset/versioned"
	"go.uber.org/zap"
	"k8s.io/client-go/kubernetes"
)

// Since 1.44 the refs of init containers are renamed too.
const release = "1.44.0"

func newController(kube kubernetes.Interface, flagger clientset.Interface, tracker canary.Tracker, labels []string,
	logger *zap.SugaredLogger, ref flaggerv1.LocalObjectReference) canary.Controller {
	return canary.NewFactory(kube, flagger, nil, tracker, labels, nil, logger).Controller(ref)
}
