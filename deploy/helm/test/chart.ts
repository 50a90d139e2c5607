import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';

const run = promisify(execFile);

/** Where the chart, examples of its values and its tests are. */
export const HELM_FOLDER = fileURLToPath(new URL('..', import.meta.url));
export const CHART = join(HELM_FOLDER, 'lintel');
/** The version of the release. */
export const CHART_VERSION: string = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')).appVersion;

/** The sets of values that the chart is tested with: the files of `values/`. */
export const VALUE_SETS: readonly string[] = readdirSync(join(HELM_FOLDER, 'values')).map((file) =>
  basename(file, '.yaml'),
);

/** An object of Kubernetes; tests look into it as it is. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: the schemas have been checked
  readonly spec?: any;
  readonly data?: Readonly<Record<string, string>>;
}

const valuesFileOf = (set: string): string => join(HELM_FOLDER, 'values', `${set}.yaml`);
/** A Helm that is built without its makefile knows of no recent Kubernetes. */
export const KUBERNETES = ['--kube-version', '1.34.0'];

/**
 * The text that Helm makes of the chart for a release `lintel` in a namespace `lintel`.
 *
 * @param more further arguments of `helm template`: `--set gateway.replicas=3`
 * @throws Error with what Helm says
 */
export async function renderChart(
  helm: string,
  set: string,
  more: readonly string[] = [],
  chart: string = CHART,
): Promise<string> {
  return renderValues(helm, valuesFileOf(set), more, chart);
}

/** The same with values of any file. */
export async function renderValues(
  helm: string,
  file: string,
  more: readonly string[] = [],
  chart: string = CHART,
): Promise<string> {
  const parameters = ['template', 'lintel', chart, '--namespace', 'lintel', ...KUBERNETES, '--values', file, ...more];
  return (await run(helm, parameters, { maxBuffer: 16 * 1024 * 1024 })).stdout;
}

/** Checks the chart with a set of values, or with its own alone, by Helm's own rules. Returns what Helm prints. */
export async function lintChart(helm: string, set?: string): Promise<string> {
  const values = set === undefined ? [] : ['--values', valuesFileOf(set)];
  return (await run(helm, ['lint', CHART, '--strict', ...KUBERNETES, ...values])).stdout;
}

const SCHEMAS = join(HELM_FOLDER, 'test', 'schemas', '{{.ResourceKind}}{{.KindSuffix}}.json');

/** What kubeconform says of each object that it does not find good; a kind without a schema is an error. */
export async function schemaProblems(kubeconform: string, text: string): Promise<readonly string[]> {
  const checking = run(kubeconform, ['-strict', '-output', 'json', '-schema-location', SCHEMAS]);
  checking.child.stdin?.end(text);
  const { stdout } = await checking.catch((error: { readonly stdout: string }) => error);
  const { resources } = JSON.parse(stdout) as { resources: { kind: string; name: string; msg: string }[] };
  return resources.map(({ kind, name, msg }) => `${kind} ${name}: ${msg}`);
}

/** The objects of a rendered chart. */
export const objectsOf = (text: string): readonly KubernetesObject[] =>
  parseAllDocuments(text, { merge: true })
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);

/** Where the rendered chart is kept. */
export const snapshotOf = (set: string): string => join(HELM_FOLDER, 'test', 'snapshots', `${set}.yaml`);
