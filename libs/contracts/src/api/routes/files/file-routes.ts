import {
  BOOLEAN,
  empty,
  inHeader,
  inQuery,
  json,
  type RouteDescription,
  ref,
  routeOf,
} from '../../route-description.ts';
import { FILE_REFERENCE, IF_NONE_MATCH } from '../parameters.ts';
import { bytesOf } from './bytes.ts';
import { resumableUploadRoutes } from './resumable-upload-routes.ts';

const route = routeOf('Files');
const FILE = 'The file, with the content type of its upload, else that of its name';
const FILE_HEADERS = {
  ETag: 'Tag of the file',
  'Content-Disposition': '`inline` or `attachment`, with the name of the file',
  'Accept-Ranges': '`bytes`',
  'Repr-Digest': 'SHA-256 of the whole file (RFC 9530)',
};

/** `path` is the path of the files API, e.g. `/rest/files` (contract/files.md#files). */
export const fileRoutes = (path: string): readonly RouteDescription[] => [
  route('post', path, 'uploadFile', {
    summary: 'Stores a file, as the part `file` of a form or as the raw body',
    description:
      'The response has the reference of the file, which attributes of the type `fileRef` accept. A caller who may download files and knows the reference can read the file.',
    parameters: [
      { ...inQuery('name', 'File name; needed with a raw body'), example: 'note.txt' },
      inQuery('storageName', 'Storage; the default one when absent'),
      inHeader('Content-Digest', 'Digest of the body, which is compared (RFC 9530)'),
      inHeader('Content-MD5', 'MD5 of the body, which is compared'),
    ],
    request: {
      description: 'The file',
      content: {
        'multipart/form-data': {
          type: 'object',
          properties: { file: { type: 'string', format: 'binary' } },
          required: ['file'],
        },
        ...bytesOf('*/*'),
      },
      required: true,
    },
    responses: { 201: json('Stored', ref('FileInfo'), { Location: 'URL of the file' }) },
    errors: [404, 409],
  }),
  route('get', path, 'downloadFile', {
    summary: 'Reads a file',
    description:
      'Returns the bytes of the file, or the requested ranges of it. Active content such as HTML is only sent as an attachment.',
    parameters: [
      { ...inQuery('fileRef', 'File reference', FILE_REFERENCE), required: true },
      inQuery('attachment', 'Whether a browser shall save the file', BOOLEAN),
      inHeader('Range', 'The parts of the file that are wanted, e.g. `bytes=0-99` or `bytes=0-99,-100`'),
      inHeader('If-Range', 'Tag or date of the file that the range is of'),
      inHeader('If-Modified-Since', 'Date of a known response'),
      IF_NONE_MATCH,
      inHeader('If-Match', 'Tag of the file that is wanted, and no other'),
    ],
    responses: {
      200: { description: FILE, content: bytesOf('*/*'), headers: FILE_HEADERS },
      206: {
        description: 'A part of the file; several as `multipart/byteranges`',
        content: bytesOf('*/*'),
        headers: { ...FILE_HEADERS, 'Content-Range': 'Which part it is' },
      },
      304: empty('Not changed since'),
      404: empty('There is no such file'),
    },
    errors: [412, 416],
  }),
  ...resumableUploadRoutes(`${path}/uploads`),
];
