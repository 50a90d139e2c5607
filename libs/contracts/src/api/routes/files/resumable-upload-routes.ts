import {
  empty,
  inHeader,
  inPath,
  json,
  type ParameterDescription,
  type RouteDescription,
  ref,
  routeOf,
} from '../../route-description.ts';

const route = routeOf('Files');
const OFFSET_TYPE = 'application/offset+octet-stream';
const BYTES = { type: 'string', format: 'binary' } as const;

const required = (parameter: ParameterDescription): ParameterDescription => ({ ...parameter, required: true });
const VERSION = required({ ...inHeader('Tus-Resumable', 'Version of the protocol: `1.0.0`'), example: '1.0.0' });
const UPLOAD = inPath('uploadId', 'Upload: the last segment of its URL');
const PREFER = inHeader('Prefer', '`return=representation`: the response to the last bytes has the file');
const OFFSET = { 'Upload-Offset': 'Number of stored bytes' };
const EXPIRES = { 'Upload-Expires': 'When the upload is removed (HTTP date)' };

/**
 * Uploads that continue after a lost connection, by the protocol tus 1.0 (contract/files.md#resumable).
 *
 * @param path of the uploads, e.g. `/rest/files/uploads`
 */
export const resumableUploadRoutes = (path: string): readonly RouteDescription[] => [
  route('post', path, 'createUpload', {
    summary: 'Begins an upload that can be resumed',
    description:
      'The protocol is [tus 1.0](https://tus.io/protocols/resumable-upload), so that its clients, such as Uppy, can be used. `Location` is the URL of the upload, which only the same user can continue. The body may have the first bytes of the file, or all of them; with all of them and `Prefer: return=representation` the response has the file.',
    parameters: [
      VERSION,
      required({ ...inHeader('Upload-Length', 'Size of the file in bytes'), example: '5' }),
      {
        ...inHeader(
          'Upload-Metadata',
          'Keys with values in Base64: `filename`, which is needed; `filetype`, the content type; `storageName`',
        ),
        example: 'filename bm90ZS50eHQ=,filetype dGV4dC9wbGFpbg==',
      },
      PREFER,
    ],
    request: { description: 'The first bytes', content: { [OFFSET_TYPE]: BYTES } },
    responses: { 201: empty('Begun', { Location: 'URL of the upload', ...OFFSET, ...EXPIRES }) },
    errors: [412],
  }),
  ...routesOfOne(`${path}/{uploadId}`),
];

/** Continues and ends one upload. */
const routesOfOne = (path: string): readonly RouteDescription[] => [
  route('head', path, 'getUploadOffset', {
    summary: 'Returns where an upload continues',
    description: 'To be called after a lost connection: the next bytes to send are those after `Upload-Offset`.',
    parameters: [UPLOAD, VERSION],
    responses: {
      200: empty('The state of the upload', {
        ...OFFSET,
        'Upload-Length': 'Size of the file in bytes',
        'Upload-Metadata': 'As it was sent',
        ...EXPIRES,
      }),
    },
    errors: [412],
  }),
  route('get', path, 'getUploadedFile', {
    summary: 'Returns the file of a complete upload',
    description: 'The same as the response to an upload in one request. 409 while bytes are missing.',
    parameters: [UPLOAD],
    responses: { 200: json('The file', ref('FileInfo')) },
    errors: [409],
  }),
  route('patch', path, 'appendToUpload', {
    summary: 'Sends further bytes of an upload',
    description:
      'Bytes that arrive before a connection is lost are stored. With the last byte the file is stored. Of several requests with the same offset one is accepted, the others are 409.',
    parameters: [
      UPLOAD,
      VERSION,
      required({ ...inHeader('Upload-Offset', 'Position of the first byte of the body in the file'), example: '0' }),
      PREFER,
    ],
    request: { description: 'The bytes', content: { [OFFSET_TYPE]: BYTES }, required: true },
    responses: {
      200: { ...json('The file, if the client prefers it', ref('FileInfo')), headers: { ...OFFSET, ...EXPIRES } },
      204: empty('Stored', { ...OFFSET, ...EXPIRES }),
    },
    errors: [409, 412],
  }),
  route('delete', path, 'endUpload', {
    summary: 'Ends an upload and removes its bytes',
    description: 'The file of an upload that is complete stays.',
    parameters: [UPLOAD, VERSION],
    responses: { 204: empty('Removed') },
    errors: [412],
  }),
  route('post', path, 'overrideUploadMethod', {
    summary: 'Sends bytes of an upload, or ends it, for clients without PATCH and DELETE',
    description: 'The header `X-HTTP-Method-Override` says which of the two operations is meant.',
    parameters: [
      UPLOAD,
      VERSION,
      required({ ...inHeader('X-HTTP-Method-Override', '`PATCH` or `DELETE`'), example: 'PATCH' }),
      inHeader('Upload-Offset', 'As for PATCH'),
      PREFER,
    ],
    request: { description: 'The bytes', content: { [OFFSET_TYPE]: BYTES } },
    responses: {
      200: json('The file, if the client prefers it', ref('FileInfo')),
      204: empty('Stored, or ended', OFFSET),
    },
    errors: [409, 412],
  }),
];
