/**
 * `node deploy/helm/test/make-schemas.mjs`: writes `schemas/`, with which the tests check what the chart renders. One
 * strict schema for each kind that the chart uses, from the OpenAPI document of Kubernetes and, for what is no part
 * of it, from custom resource definitions; all come as Go modules. Needs Go and the network; the tests need neither.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const KUBERNETES = 'k8s.io/kubernetes@v1.34.4';
const PROMETHEUS_OPERATOR = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';
const KEDA = 'github.com/kedacore/keda/v2@v2.21.0';
const GATEWAY_API = 'sigs.k8s.io/gateway-api@v1.6.3';
const KINDS = [
  'apps/v1 Deployment',
  'autoscaling/v2 HorizontalPodAutoscaler',
  'batch/v1 Job',
  'networking.k8s.io/v1 Ingress',
  'networking.k8s.io/v1 NetworkPolicy',
  'policy/v1 PodDisruptionBudget',
  'v1 ConfigMap',
  'v1 Pod',
  'v1 Secret',
  'v1 Service',
  'v1 ServiceAccount',
];
const FOLDER = fileURLToPath(new URL('./schemas', import.meta.url));
const DRAFT = 'http://json-schema.org/draft-07/schema#';

/** The folder of a Go module. */
function moduleFolder(name) {
  return JSON.parse(execFileSync('go', ['mod', 'download', '-json', name], { encoding: 'utf8' })).Dir;
}

/** The same schema without what only people read, and without members that it does not name. */
function strict(schema) {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return { type: ['integer', 'string'] };
  if (schema.format === 'quantity') return { type: ['number', 'string'] };
  const result = {};
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'properties') {
      result.properties = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, strict(each)]));
    } else if (!['description', 'format', 'default', 'title'].includes(name) && !name.startsWith('x-kubernetes-')) {
      result[name] = strict(value);
    }
  }
  if (result.properties !== undefined) result.additionalProperties ??= false;
  return result;
}

/** The names of the definitions that a schema leads to. */
function reached(schema, definitions, found = new Set()) {
  for (const [, name] of JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    reached(definitions[name], definitions, found);
  }
  return found;
}

/** As kubeconform looks for it: `deployment-apps-v1.json`. */
function write(apiVersion, kind, schema) {
  const parts = apiVersion.split('/').map((part) => part.split('.')[0]);
  const file = `${[kind.toLowerCase(), ...parts].join('-')}.json`;
  const { properties, ...rest } = schema;
  const typed = { ...properties, apiVersion: { const: apiVersion }, kind: { const: kind } };
  const required = [...new Set(['apiVersion', 'kind', 'metadata', ...(schema.required ?? [])])];
  writeFileSync(join(FOLDER, file), `${JSON.stringify({ $schema: DRAFT, ...rest, required, properties: typed })}\n`);
}

function writeKubernetes() {
  const openApi = join(moduleFolder(KUBERNETES), 'api', 'openapi-spec', 'swagger.json');
  const given = JSON.parse(readFileSync(openApi, 'utf8')).definitions;
  // A quantity is a text in the document, but numbers are taken, too.
  given['io.k8s.apimachinery.pkg.api.resource.Quantity'].format = 'quantity';
  const definitions = Object.fromEntries(Object.entries(given).map(([name, schema]) => [name, strict(schema)]));
  for (const entry of KINDS) {
    const [apiVersion, kind] = entry.split(' ');
    const [version, group = ''] = apiVersion.split('/').reverse();
    const [name] = Object.entries(given).find(([, schema]) =>
      schema['x-kubernetes-group-version-kind']?.some(
        (each) => each.group === group && each.version === version && each.kind === kind,
      ),
    );
    const own = definitions[name];
    const parts = [...reached(own, definitions)].sort().map((each) => [each, definitions[each]]);
    write(apiVersion, kind, { ...own, definitions: Object.fromEntries(parts) });
  }
}

/** A kind of an operator, from its definition: a file of the folder of its module. */
function writeCustom(module, file) {
  const { spec } = parse(readFileSync(join(moduleFolder(module), file), 'utf8'));
  const version = spec.versions.find(({ storage }) => storage);
  const schema = strict(version.schema.openAPIV3Schema);
  // A definition does not describe the metadata that every object has.
  schema.properties.metadata = { type: 'object' };
  write(`${spec.group}/${version.name}`, spec.names.kind, schema);
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
writeKubernetes();
writeCustom(PROMETHEUS_OPERATOR, 'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml');
writeCustom(KEDA, 'config/crd/bases/keda.sh_scaledobjects.yaml');
writeCustom(KEDA, 'config/crd/bases/keda.sh_triggerauthentications.yaml');
writeCustom(GATEWAY_API, 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml');
