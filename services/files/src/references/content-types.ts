import { extensionOf } from './file-reference.ts';

export const OCTET_STREAM = 'application/octet-stream';

/** Content types by extension (contract/files.md#download); other extensions are binary. */
const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'application/javascript': 'js',
    'application/json': 'json',
    'application/msword': 'doc dot',
    'application/pdf': 'pdf',
    'application/rtf': 'rtf',
    'application/vnd.ms-excel': 'xls xlt',
    'application/vnd.ms-powerpoint': 'ppt pps pot',
    'application/vnd.oasis.opendocument.presentation': 'odp',
    'application/vnd.oasis.opendocument.spreadsheet': 'ods',
    'application/vnd.oasis.opendocument.text': 'odt',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/x-gzip': 'gz',
    'application/x-tar': 'tar',
    'application/zip': 'zip',
    'audio/mpeg': 'mp3 mpga',
    'audio/ogg': 'oga ogg',
    'audio/x-wav': 'wav',
    'image/bmp': 'bmp',
    'image/gif': 'gif',
    'image/jpeg': 'jpg jpeg jpe',
    'image/png': 'png',
    'image/svg+xml': 'svg svgz',
    'image/tiff': 'tif tiff',
    'image/x-icon': 'ico',
    'text/calendar': 'ics',
    'text/css': 'css',
    'text/csv': 'csv',
    'text/html': 'html htm',
    'text/plain': 'txt text log',
    'text/xml': 'xml',
    'video/mp4': 'mp4',
    'video/mpeg': 'mpeg mpg',
    'video/quicktime': 'mov qt',
    'video/x-msvideo': 'avi',
  }).flatMap(([type, extensions]) => extensions.split(' ').map((extension) => [extension, type] as const)),
);

/** The content type for the extension of a name. */
export const contentTypeOf = (name: string): string =>
  BY_EXTENSION.get(extensionOf(name).toLowerCase()) ?? OCTET_STREAM;

/** The extensions that have this content type, `type/subtype` in lower case; none for a type that is not listed. */
export const extensionsOf = (contentType: string): readonly string[] =>
  [...BY_EXTENSION].filter(([, type]) => type === contentType).map(([extension]) => extension);
