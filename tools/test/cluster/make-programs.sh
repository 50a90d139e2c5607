#!/bin/sh
# Makes an API server of Kubernetes from its sources, by Go:
#   sh tools/test/cluster/make-programs.sh <folder>
# writes <folder>/kube-apiserver. Minutes, once. `go install` refuses Kubernetes for its `replace` lines, so it is a
# dependency of a module of ours.
set -eu
KUBERNETES=1.34.4
mkdir -p "$1"
folder=$(mktemp -d "$1/unfinished-XXXXXX")
trap 'rm -rf "$folder"' EXIT
export CGO_ENABLED=0 GOFLAGS='-mod=mod -buildvcs=false' GOTOOLCHAIN=auto

cd "$folder"
description=$(go mod download -json "k8s.io/kubernetes@v$KUBERNETES" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
{
  echo 'module cluster'
  grep '^go ' "$description"
  echo "require k8s.io/kubernetes v$KUBERNETES"
  # What its repository contains is published with the same version, but for the first number.
  sed -nE "s/^\t(k8s.io\/[a-z0-9-]+) v0\.0\.0( .*)?$/replace \1 => \1 v0.${KUBERNETES#*.}/p" "$description"
} >go.mod
go build -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=v$KUBERNETES" -o . k8s.io/kubernetes/cmd/kube-apiserver
mv kube-apiserver "$1"
