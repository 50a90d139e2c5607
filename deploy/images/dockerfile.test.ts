import { readFileSync } from 'node:fs';
import { settings as authSettings } from '@lintel/auth/settings';
import { loadSettings, processSources, type SettingsShape } from '@lintel/config';
import { settings as dataSettings } from '@lintel/data/settings';
import { settings as filesSettings } from '@lintel/files/settings';
import { settings as gatewaySettings } from '@lintel/gateway/settings';
import { settings as reportsSettings } from '@lintel/reports/settings';
import { MEMORY_ENVIRONMENT } from '../../tools/bootstrap/memory-environment.mjs';
import { PROGRAMS } from './make-runtime.mjs';

/** Instructions, lines that go on joined, without comments. */
const instructions = readFileSync(new URL('./Dockerfile', import.meta.url), 'utf8')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter(Boolean);
const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));
const only = (name: string) => {
  const found = last.filter((line) => line.startsWith(`${name} `));
  if (found.length !== 1) throw new Error(`${found.length} instructions ${name}`);
  return found[0]?.slice(name.length + 1) ?? '';
};
const LISTENERS: readonly SettingsShape[] = [
  { port: gatewaySettings.port, management: gatewaySettings.management },
  { port: authSettings.port, internalPort: authSettings.internalPort, management: authSettings.management },
  { port: dataSettings.port, internalPort: dataSettings.internalPort, management: dataSettings.management },
  { port: filesSettings.port, internalPort: filesSettings.internalPort, management: filesSettings.management },
  { port: reportsSettings.port, management: reportsSettings.management },
];

describe('the images', () => {
  test('run Node 24 on a base without a shell, as a user that is not root', () => {
    expect(instructions).toContain('ARG RUNTIME_IMAGE=gcr.io/distroless/nodejs24-debian12:nonroot');
    expect(only('USER')).toBe('65532:65532');
    for (const name of ['ENTRYPOINT', 'CMD']) expect(() => JSON.parse(only(name))).not.toThrow();
    // After files were copied as root: the user may read them, and change none.
    expect(last.findIndex((line) => line.startsWith('USER'))).toBeGreaterThan(
      last.findIndex((line) => line.startsWith('COPY')),
    );
    expect(last.filter((line) => /--chown=(?!0:0 )|^RUN /.test(line))).toEqual([]);
  });

  test('give memory back as the other ways to start do', () => {
    const settings = only('ENV').split(' ');
    expect(settings).toEqual(expect.arrayContaining(Object.entries(MEMORY_ENVIRONMENT).map((pair) => pair.join('='))));
  });

  test('say how they are, by a program that is in them', () => {
    const [, command = ''] = only('HEALTHCHECK').split('CMD ');
    expect(JSON.parse(command)).toEqual(['node', 'health-check.mjs']);
    expect(PROGRAMS).toEqual(expect.arrayContaining(['health-check.mjs', 'ask-health.mjs']));
  });

  test('hold compiled code that was made by the same Node, for the same folder and user', () => {
    const begin = instructions.findIndex((line) => line.endsWith(' AS compile'));
    const length = instructions.slice(begin + 1).findIndex((line) => line.startsWith('FROM ')) + 1;
    const stage = instructions.slice(begin, begin + length);
    expect(stage).toEqual(
      expect.arrayContaining([
        `${last[0]} AS compile`,
        'WORKDIR /app',
        'COPY --from=collect /out .',
        `USER ${only('USER')}`,
        'RUN ["node", "compile-ahead.mjs", "/tmp/compile-cache"]',
      ]),
    );
    expect(PROGRAMS).toContain('compile-ahead.mjs');
    expect(last).toEqual(
      expect.arrayContaining([
        'WORKDIR /app',
        'COPY --from=collect /out .',
        'COPY --from=compile --chown=0:0 /tmp/compile-cache compile-cache',
      ]),
    );
    expect(only('ENV')).toContain(' NODE_COMPILE_CACHE=/app/compile-cache ');
  });

  test('name their version, their source and their packages in labels', () => {
    const labels = [...only('LABEL').matchAll(/([\w.]+)="/g)].map(([, name]) => name);
    expect(labels).toEqual(
      expect.arrayContaining([
        'org.opencontainers.image.title',
        'org.opencontainers.image.version',
        'org.opencontainers.image.revision',
        'org.opencontainers.image.licenses',
        'io.lintel.image.sbom',
      ]),
    );
  });

  test('expose the ports of all listeners', () => {
    const ports = LISTENERS.flatMap((shape) => {
      const { port, internalPort, management } = loadSettings(shape, processSources({ environment: {} })) as {
        readonly port: number;
        readonly internalPort?: number;
        readonly management: { readonly port: number };
      };
      return [port, internalPort ?? [], management.port].flat();
    });
    expect(only('EXPOSE').split(' ').map(Number).sort()).toEqual(ports.sort());
  });
});
