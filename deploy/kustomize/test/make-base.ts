import { parse } from 'yaml';

/** What overlays change, as variables of all containers instead of properties of each. */
const SETTINGS: readonly string[] = [
  'svc.application',
  'svc.authserver.issuer',
  'svc.files.storage.fs.bucket',
  'svc.files.storage.fs.endpoint-url',
  'svc.files.storage.fs.region',
  'svc.log.level',
  'svc.security.profile',
];

/** The property that the component of the workers sets, as a variable of data. */
const OF_WORKERS = 'svc.jobs.enabled=false';

/** Lines that Helm needs, or that say again what Kustomize says by the names of what it generates. */
const OF_HELM: readonly RegExp[] = [
  /^# Source: .*\n/gm,
  /^ +(helm\.sh\/\S+|app\.kubernetes\.io\/(version|managed-by)): .*\n/gm,
  /^ +# Another configuration is another pod\.\n( +checksum\/\w+: .*\n)+/gm,
  // Left without members by the ones above.
  /^( +)annotations:\n(?!\1 )/gm,
  /^ +- name: SVC_APPLICATION\n +value: .*\n/gm,
];

const HEADER = '# Rendered from deploy/helm/lintel by deploy/kustomize/test/render-base.mjs: do not edit.\n';

interface RenderedObject {
  readonly kind: string;
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
}

const variableOf = (property: string) => property.replace(/[.-]/g, '_').toUpperCase();
/** Where the files of a service are. */
const folderOf = (component: string) => (component === 'data-workers' ? 'components/workers' : 'base');
const isSetting = (line: string) => SETTINGS.includes(line.slice(0, line.indexOf('=')));

/**
 * The files of the base and of its components, by their paths, from what Helm renders with `values.yaml`: the objects
 * of each service, its properties, and the settings of all.
 */
export function makeBase(rendered: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const append = (path: string, text: string) => {
    const before = files.get(path);
    files.set(path, before === undefined ? HEADER + text : `${before}---\n${text}`);
  };
  const settings = new Map<string, string>();
  for (const text of rendered.split(/^---\n/m)) {
    const object = parse(text, { merge: true }) as RenderedObject | null;
    if (object === null) continue;
    const component = object.metadata.labels['app.kubernetes.io/component'] ?? '';
    if (object.kind === 'ConfigMap') {
      const lines = (object.data?.['application.properties'] ?? '').trim().split('\n');
      const own = lines.filter((line) => !isSetting(line) && line !== OF_WORKERS);
      files.set(`${folderOf(component)}/config/${component}.properties`, `${own.join('\n')}\n`);
      for (const line of lines.filter(isSetting)) {
        const [property = ''] = line.split('=');
        settings.set(property, `${variableOf(property)}${line.slice(property.length)}`);
      }
    } else {
      const isAutoscaler = object.kind === 'HorizontalPodAutoscaler';
      const path = isAutoscaler
        ? 'components/autoscaling/autoscalers.yaml'
        : `${folderOf(component)}/${component}.yaml`;
      append(
        path,
        OF_HELM.reduce((left, pattern) => left.replace(pattern, ''), text),
      );
    }
  }
  files.set('base/settings.env', `${HEADER}${[...settings.values()].sort().join('\n')}\n`);
  return files;
}
