import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processSettings as auth } from '@lintel/auth/settings';
import { loadSettings, processSources, type SettingsShape } from '@lintel/config';
import { processSettings as data } from '@lintel/data/settings';
import { processSettings as files } from '@lintel/files/settings';
import { processSettings as gateway } from '@lintel/gateway/settings';
import { processSettings as reports } from '@lintel/reports/settings';
import type { KubernetesObject } from './chart.ts';

/** What each image reads. */
const SHAPES: Readonly<Record<string, SettingsShape>> = {
  gateway,
  auth,
  data,
  files,
  reports,
  'reports-workers': reports,
  'data-workers': data,
};
/** A value of the form that each secret has. */
const SECRETS: Readonly<Record<string, string>> = {
  'svc.redis.url': 'redis://redis:6379/0',
  'svc.broker.urls': 'amqp://lintel:secret@rabbitmq:5672',
  'svc.internal.secret': 'fb0f4d8c2b6e4b4f9d7a1c0e5a3b2d19',
  'svc.authserver.key-encryption-secret': '1c7e0a9d5b3f4e2a8d6c4b1f0e9a7d53',
};

/** What tests look at in the settings of a service. */
interface PodConfig {
  readonly port: number;
  readonly internalPort?: number;
  readonly management: { readonly port: number };
  readonly platform: {
    readonly issuer: string;
    readonly shutdown: { readonly delayMs: number; readonly drainMs: number };
  };
  /** Of reports. */
  readonly background: { readonly workers: number };
  /** Of data. */
  readonly runsJobs?: boolean;
}

/** Variables of the container, those of whole ConfigMaps first, which its own win over. */
function variablesOf(deployment: KubernetesObject, dataOf: (name: string) => Readonly<Record<string, string>>) {
  const { env, envFrom = [] } = deployment.spec.template.spec.containers[0] as {
    env: readonly { name: string; value: string }[];
    envFrom?: readonly { configMapRef: { name: string } }[];
  };
  const shared = Object.assign({}, ...envFrom.map(({ configMapRef }) => dataOf(configMapRef.name)));
  return { ...shared, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) } as Record<string, string>;
}

/**
 * The settings as the service of a deployment reads them, with the files that its pod has, written below `folder`.
 *
 * @throws Error that names what the service would not start with
 */
export function settingsOfPod(deployment: KubernetesObject, objects: readonly KubernetesObject[], folder: string) {
  const own = join(folder, deployment.metadata.name);
  mkdirSync(own, { recursive: true });
  const dataOf = (name: string): Readonly<Record<string, string>> => {
    const map = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name);
    if (map === undefined) throw new Error(`there is no ConfigMap ${name}`);
    return map.data ?? {};
  };
  const { volumes } = deployment.spec.template.spec;
  // biome-ignore lint/suspicious/noExplicitAny: an object of Kubernetes
  const volume = (name: string): any => volumes.find((each: { name: string }) => each.name === name);
  writeFileSync(
    join(own, 'application.properties'),
    dataOf(volume('config').configMap.name)['application.properties'] ?? '',
  );
  const secrets: readonly string[] = volume('secrets').projected.sources.map(
    (each: { secret: { items: { path: string }[] } }) => {
      const path = each.secret.items[0]?.path ?? '';
      writeFileSync(join(own, path), SECRETS[path] ?? 'postgres://lintel:secret@postgres:5432/lintel');
      return path;
    },
  );
  const environment = Object.fromEntries(
    Object.entries(variablesOf(deployment, dataOf)).map(([name, value]) => [
      name,
      value.replace('/run/secrets/lintel/', `${own}/`).replace('/etc/lintel/', `${own}/`),
    ]),
  );
  const shape = SHAPES[deployment.metadata.labels['app.kubernetes.io/component'] ?? ''] ?? {};
  const config = loadSettings(shape, processSources({ environment })) as unknown as PodConfig;
  return { environment, secrets, config };
}
