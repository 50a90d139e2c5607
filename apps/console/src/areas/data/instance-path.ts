/** The segment of a path that stands for the id of an instance; an id of several attributes is coded as in the API. */
export const idSegment = (id: unknown): string =>
  typeof id === 'object' && id !== null ? base64Url(JSON.stringify(id)) : String(id);

/** The path of the form of an instance, below that of the console. */
export const instancePath = (entity: string, id: unknown): string =>
  `/data/${entity}/${encodeURIComponent(idSegment(id))}`;

const base64Url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
