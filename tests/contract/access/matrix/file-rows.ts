import { as, query } from '../../api.ts';
import { type MatrixRow, row, SHOWS_HIDDEN } from './row.ts';

const UPLOADS = '/rest/files/uploads';
const TUS = { 'tus-resumable': '1.0.0' };
const tusUpload = (length: number) => ({
  'upload-length': String(length),
  'upload-metadata': `filename ${btoa('matrix.txt')}`,
});

/** The path of an upload of the administrator. */
async function newUpload(length: number): Promise<string> {
  const { headers } = await as('admin', 'POST', '/files/uploads', { headers: { ...TUS, ...tusUpload(length) } });
  return new URL(headers.get('location') ?? '').pathname;
}

export const FILE_ROWS: readonly MatrixRow[] = [
  row('files/transfers.routes.ts post /', 'POST', '/rest/files?name=a.txt', [401, 403, 403, 403, 201], {
    body: () => 'text',
  }),
  row(
    'files/transfers.routes.ts get /',
    'GET',
    ({ fileRef }) => `/rest/files${query({ fileRef })}`,
    [401, 403, 403, 403, 200],
    SHOWS_HIDDEN,
  ),
  row('files/resumable.routes.ts options /', 'OPTIONS', UPLOADS, [401, 403, 403, 403, 204]),
  row('files/resumable.routes.ts post /', 'POST', UPLOADS, [401, 403, 403, 403, 201], {
    headers: { ...TUS, ...tusUpload(4) },
  }),
  row('files/resumable.routes.ts head /:uploadId', 'HEAD', () => newUpload(4), [401, 403, 403, 403, 200], {
    headers: TUS,
  }),
  row('files/resumable.routes.ts get /:uploadId', 'GET', () => newUpload(0), [401, 403, 403, 403, 200]),
  row('files/resumable.routes.ts patch /:uploadId', 'PATCH', () => newUpload(4), [401, 403, 403, 403, 204], {
    headers: { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    body: () => 'text',
  }),
  row('files/resumable.routes.ts delete /:uploadId', 'DELETE', () => newUpload(4), [401, 403, 403, 403, 204], {
    headers: TUS,
  }),
  row('files/resumable.routes.ts post /:uploadId', 'POST', () => newUpload(4), [401, 403, 403, 403, 204], {
    headers: { ...TUS, 'x-http-method-override': 'DELETE' },
  }),
];
