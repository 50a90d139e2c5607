import { loadSettings, processSources } from '@lintel/config';
import { settings } from '../config.ts';
import { createConsolePage } from './console-page.ts';

const BUILT = `<base href="/console/"><meta name="lintel-console" content="{}">
<meta property="csp-nonce" nonce="LINTEL_CONSOLE_NONCE"><script type="module" nonce="LINTEL_CONSOLE_NONCE"></script>`;
const config = (overrides: Record<string, string>) =>
  loadSettings(
    settings,
    processSources({
      environment: {},
      overrides: {
        'svc.gateway.host': '127.0.0.1',
        'svc.internal.secret': 'internal',
        'svc.security.allow-insecure': 'short-secrets,compatible-profile',
        ...overrides,
      },
    }),
  );

test('the page has the nonce of the response, the prefix of the public address and the configured paths', () => {
  const { html, policy } = createConsolePage(
    BUILT,
    config({ 'svc.authserver.issuer': 'https://shop.example/lintel/', 'svc.rest.base-path': '/api' }),
  )('abc');
  expect(html).toContain('<base href="/lintel/console/">');
  expect(html).toContain('&quot;entities&quot;:&quot;/api/entities&quot;');
  expect(html.match(/nonce="abc"/g)).toHaveLength(2);
  expect(html).not.toContain('LINTEL_CONSOLE_NONCE');
  expect(policy).toContain("style-src 'self' 'nonce-abc'");
});

test('the policy permits scripts of this server only, and no requests to others', () => {
  const { policy } = createConsolePage(BUILT, config({}))('abc');
  const directives = new Map(policy.split('; ').map((each) => [each.split(' ')[0], each]));
  expect(directives.get('default-src')).toBe("default-src 'none'");
  expect(directives.get('script-src')).toBe("script-src 'self'");
  expect(directives.get('connect-src')).toBe("connect-src 'self'");
  expect(directives.get('frame-ancestors')).toBe("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
});

test('the page names the module of the extension, if there is one, and the policy is the same', () => {
  const withExtension = createConsolePage(BUILT, config({}), 'extension/index.js')('abc');
  const without = createConsolePage(BUILT, config({}))('abc');
  expect(withExtension.html).toContain('&quot;extension&quot;:&quot;extension/index.js&quot;');
  expect(without.html).not.toContain('extension');
  expect(withExtension.policy).toBe(without.policy);
});

test('the page names the explorer only where users can log in to it', () => {
  const namesExplorer = (overrides: Record<string, string>): boolean =>
    createConsolePage(BUILT, config(overrides))('abc').html.includes('&quot;docs&quot;:&quot;/rest/docs&quot;');
  expect(namesExplorer({ 'svc.console.enabled': 'true' })).toBe(true);
  expect(namesExplorer({ 'svc.console.enabled': 'true', 'svc.rest.explorer-client': 'none' })).toBe(false);
});
