// SPDX-License-Identifier: Apache-2.0

package main

func record(folder string, all []answered) error { return nil }
