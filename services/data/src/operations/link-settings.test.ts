import { loadSettings, processSources } from '@lintel/config';
import { linkSettings } from './link-settings.ts';

const load = (overrides: Record<string, string>) =>
  loadSettings(linkSettings, processSources({ environment: {}, overrides }));

// Asserts contract/operations.md#links.
test('the address of a trace names where its id is', () => {
  const traces = 'https://grafana.example/explore?trace={traceId}';
  expect(load({ 'svc.console.links.traces': traces })).toEqual({ traces });
  expect(() => load({ 'svc.console.links.traces': 'https://grafana.example/' })).toThrow(/svc\.console\.links\.traces/);
});
