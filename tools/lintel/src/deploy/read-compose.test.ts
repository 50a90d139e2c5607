import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCompose } from './read-compose.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-compose-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('variables come from the shell, .env, env_file, anchors and secrets, as with Compose', () => {
  writeFileSync(join(folder, '.env'), 'FROM_ENV=1\nEMPTY=\nBOTH=env\nPROJECT=p\n');
  writeFileSync(join(folder, 'more.env'), 'IN_FILE=file\nOVERRIDDEN=file\n');
  const text = `
    x-settings: &settings { SHARED: "$FROM_ENV", PORT: 8080 }
    secrets: { key: { file: ./secrets/key } }
    services:
      data:
        command: serve-service data
        env_file: [more.env, { path: absent.env, required: false }]
        environment:
          <<: *settings
          OVERRIDDEN: own
          BOTH: \${BOTH}
          DEFAULT: \${UNSET:-\${FROM_ENV}}
          EMPTY_DEFAULT: \${EMPTY:-default}
          EMPTY_KEPT: \${EMPTY-default}
          ALTERNATIVE: \${FROM_ENV:+yes}
          DOLLAR: a$$b
          PASSED:
          PROJECT:
          ABSENT:
          KEY_FILE: /run/secrets/key
      list:
        command: [serve-service, auth]
        environment: ["A=b=c", PASSED, ABSENT, "D=\${MISSING:?} \${OTHER?wanted}"]`;
  const { services, unset } = readCompose(text, folder, { BOTH: 'shell', PASSED: 'on' });
  expect(services).toEqual([
    {
      name: 'data',
      command: ['serve-service', 'data'],
      variables: {
        IN_FILE: 'file',
        SHARED: '1',
        PORT: '8080',
        OVERRIDDEN: 'own',
        BOTH: 'shell',
        DEFAULT: '1',
        EMPTY_DEFAULT: 'default',
        EMPTY_KEPT: '',
        ALTERNATIVE: 'yes',
        DOLLAR: 'a$b',
        PASSED: 'on',
        PROJECT: 'p',
        KEY_FILE: join(folder, 'secrets/key'),
      },
    },
    { name: 'list', command: ['serve-service', 'auth'], variables: { A: 'b=c', PASSED: 'on', D: expect.any(String) } },
  ]);
  expect(unset).toEqual(['MISSING', 'OTHER']);
});
