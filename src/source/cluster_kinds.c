/* SPDX-License-Identifier: Apache-2.0 */
#include "source/cluster.h"

const struct api_kind *cluster_kind(enum object_kind kind)
{
	static const struct api_kind kinds[] = {
		[KIND_DEPLOYMENT] = {"apps", "v1", "deployments"},
		[KIND_DAEMONSET] = {"apps", "v1", "daemonsets"},
		[KIND_SERVICE] = {"", "v1", "services"},
		[KIND_KNATIVE] = {"serving.knative.dev", "v1", "services"},
		[KIND_CANARY] = {"flagger.app", "v1beta1", "canaries"},
		[KIND_REPLICASET] = {"apps", "v1", "replicasets"},
		[KIND_CONTROLLERREVISION] = {"apps", "v1", "controllerrevisions"},
		[KIND_CONFIGMAP] = {"", "v1", "configmaps"},
		[KIND_SECRET] = {"", "v1", "secrets"},
		[KIND_HPA] = {"autoscaling", "v2", "horizontalpodautoscalers"},
		[KIND_SCALEDOBJECT] = {"keda.sh", "v1alpha1", "scaledobjects"},
	};

	return kind < sizeof(kinds) / sizeof(*kinds) && kinds[kind].plural ? &kinds[kind] : NULL;
}
