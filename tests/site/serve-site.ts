import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

/** A running server of the built site. */
export interface ServedSite {
  /** Address of the site with its path, without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** The file that a static server sends for a path: a file, the page of a folder, or a page without its `.html`. */
export function fileOf(folder: string, path: string): string | undefined {
  const file = join(folder, decodeURIComponent(path));
  return [file, join(file, 'index.html'), `${file.replace(/\/$/, '')}.html`].find(
    (one) => existsSync(one) && statSync(one).isFile(),
  );
}

/** Serves the site below `base` on the loopback interface, as servers of static files do. */
export async function serveSite(folder: string, base: string): Promise<ServedSite> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://site');
    const file = pathname.startsWith(base) ? fileOf(folder, pathname.slice(base.length - 1)) : undefined;
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': TYPES[extname(file ?? '.html')] ?? '' });
    response.end(readFileSync(file ?? join(folder, '404.html')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}${base.replace(/\/$/, '')}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}
