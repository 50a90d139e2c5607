import { EXPLORER_SCRIPTS } from './explorer-files.ts';

export interface ExplorerPage {
  /** Last segment of the path of the page. */
  readonly docs: string;
  /** Relative address of the public root, where the login is. */
  readonly root: string;
  /** Id of the client of the explorer: letters, digits, `_`, `-` and `.`. */
  readonly clientId: string | undefined;
}

/**
 * The page. Its links are relative, so that it works below any prefix; scripts are named so that the browser requests
 * them at once.
 */
export const explorerPage = ({ docs, root, clientId }: ExplorerPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API explorer</title>
<link rel="icon" type="image/svg+xml" href="${docs}/explorer/favicon.svg">
<link rel="stylesheet" href="${docs}/explorer/explorer.css">
${EXPLORER_SCRIPTS.map((name) => `<link rel="modulepreload" href="${docs}/explorer/${name}">`).join('\n')}
<script type="module" src="${docs}/explorer/start.js"></script>
</head>
<body>
<div id="explorer" data-root="${root}"${clientId === undefined ? '' : ` data-client="${clientId}"`}><main><h1>API explorer</h1><p>Reading the document…</p></main></div>
<noscript>The explorer needs JavaScript; the document that it shows is <a href="${docs}/openapiDetailed.json">openapiDetailed.json</a>.</noscript>
</body>
</html>
`;
