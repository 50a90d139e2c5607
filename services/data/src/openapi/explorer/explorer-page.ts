/**
 * The page. Its links are relative, so that it works below any prefix.
 *
 * @param docs last segment of the path of the page
 */
export const explorerPage = (docs: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API explorer</title>
<link rel="icon" type="image/png" href="${docs}/explorer/favicon-32x32.png">
<link rel="stylesheet" href="${docs}/explorer/swagger-ui.css">
</head>
<body>
<div id="explorer"></div>
<noscript>The explorer needs JavaScript; the document that it shows is <a href="${docs}/openapiDetailed.json">openapiDetailed.json</a>.</noscript>
<script src="${docs}/explorer/swagger-ui-bundle.js"></script>
<script src="${docs}/explorer/start.js"></script>
</body>
</html>
`;

/** Shows the detailed document. The page sends no request to other servers, not even to a validator. */
export const START_SCRIPT = `const here = document.currentScript.src;
const explorer = SwaggerUIBundle({
  dom_id: '#explorer',
  url: new URL('../openapiDetailed.json', here).href,
  oauth2RedirectUrl: new URL('oauth2-redirect.html', here).href,
  validatorUrl: null,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  deepLinking: true,
  displayOperationId: true,
  filter: true,
});
explorer.initOAuth({ usePkceWithAuthorizationCodeGrant: true, useBasicAuthenticationWithAccessCodeGrant: true });
`;
