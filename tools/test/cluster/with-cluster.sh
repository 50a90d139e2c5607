#!/bin/sh
# Starts the API server of a Kubernetes, without nodes, runs a command with its KUBECONFIG, and ends with the command's code:
#   unshare --net --pid --fork --mount-proc --kill-child \
#     sh tools/test/cluster/with-cluster.sh <programs> <folder> <command> [<parameter>...]
# <programs> is made by make-programs.sh, <folder> is an empty one. Network and processes are of this shell alone and end
# with it: nothing reaches another machine, and nothing is left but <folder>.
set -eu
programs=$1
folder=$2
shift 2
PATH="$programs:$PATH"
node=172.31.255.1
export KUBECONFIG="$folder/kubeconfig"
cd "$folder"

started_at=$(date +%s)

# A loopback address is refused.
ip link set lo up
ip address add "$node/32" dev lo

openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=node -addext "subjectAltName=IP:$node,IP:127.0.0.1" \
  -keyout node.key -out node.crt 2>/dev/null
token=$(openssl rand -hex 16)
echo "$token,admin,admin,system:masters" >tokens
cat >kubeconfig <<EOF
apiVersion: v1
kind: Config
clusters: [{ name: cluster, cluster: { server: "https://$node:6443", certificate-authority: $folder/node.crt } }]
users: [{ name: admin, user: { token: $token } }]
contexts: [{ name: cluster, context: { cluster: cluster, user: admin } }]
current-context: cluster
EOF

etcd --data-dir etcd --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 \
  --listen-peer-urls http://127.0.0.1:2380 >etcd.log 2>&1 &
kube-apiserver --etcd-servers http://127.0.0.1:2379 --bind-address "$node" --advertise-address "$node" \
  --tls-cert-file node.crt --tls-private-key-file node.key --token-auth-file tokens --authorization-mode RBAC \
  --service-cluster-ip-range 10.96.0.0/16 --service-account-issuer https://kubernetes.default.svc \
  --service-account-key-file node.key --service-account-signing-key-file node.key >server.log 2>&1 &
until kubectl get --raw /readyz >/dev/null 2>&1; do
  [ $(($(date +%s) - started_at)) -lt 180 ] || {
    tail -n 5 etcd.log server.log >&2
    exit 1
  }
  sleep 0.5
done
echo "The API server is ready after $(($(date +%s) - started_at)) s"
cd - >/dev/null
"$@"
