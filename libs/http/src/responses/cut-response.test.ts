import { readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../../', import.meta.url);

const sourcesOf = (folder: string): readonly string[] =>
  readdirSync(new URL(folder, ROOT)).flatMap((name) =>
    readdirSync(new URL(`${folder}/${name}/src`, ROOT), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map((path) => `${folder}/${name}/src/${path}`),
  );

test('only cutResponse destroys responses: otherwise HTTP/1.0 clients take them for complete ones', () => {
  const destroying = [...sourcesOf('services'), 'libs/http/src/responses/send-error.ts'].filter((path) => {
    const text = readFileSync(new URL(path, ROOT), 'utf8');
    // Responses of other servers are no `ServerResponse`.
    return /ServerResponse|'express'/.test(text) && /\bresponse\.destroy\(/.test(text);
  });
  expect(destroying).toEqual([]);
});
