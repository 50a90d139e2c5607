import { readdirSync, readFileSync } from 'node:fs';
import { settings as authSettings } from '@lintel/auth/settings';
import { loadSettings, processSources, type SettingsShape } from '@lintel/config';
import { settings as dataSettings } from '@lintel/data/settings';
import { settings as filesSettings } from '@lintel/files/settings';
import { settings as gatewaySettings } from '@lintel/gateway/settings';
import { settings as reportsSettings } from '@lintel/reports/settings';
import { parse } from 'yaml';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const compose = parse(read('../docker-compose.yml'), { merge: true });
const collector = parse(read('../observability/collector.yml'));
const prometheus = parse(read('../observability/prometheus.yml'));
const MANAGEMENT: Readonly<Record<string, SettingsShape>> = {
  auth: { management: authSettings.management },
  data: { management: dataSettings.management },
  files: { management: filesSettings.management },
  gateway: { management: gatewaySettings.management },
  reports: { management: reportsSettings.management },
};

test('the collector uses what it declares, and declares what it uses', () => {
  for (const part of ['receivers', 'processors', 'exporters'])
    expect(Object.keys(collector[part]).sort()).toEqual([...collector.service.pipelines.traces[part]].sort());
  // Memory is looked at before anything is kept.
  expect(collector.service.pipelines.traces.processors[0]).toBe('memory_limiter');
});

test('traces find the collector, and from there Jaeger', () => {
  const variables = compose.services.data.environment;
  expect(variables.OTEL_EXPORTER_OTLP_ENDPOINT).toMatch(/^\$\{LINTEL_TELEMETRY_ENDPOINT:-\}$/);
  expect(read('../.env.example')).toContain('http://collector:4318 for the one of the profile');
  expect(collector.receivers.otlp.protocols.http.endpoint).toBe('0.0.0.0:4318');
  const [host] = collector.exporters['otlp/jaeger'].endpoint.split(':');
  expect(compose.services[host].profiles).toEqual(['observability']);
  expect(compose.services.collector.depends_on).toHaveProperty(host);
});

test('Prometheus asks every service at its management port, all replicas of it', () => {
  const { dns_sd_configs: names } = prometheus.scrape_configs.find(
    (each: { job_name: string }) => each.job_name === 'lintel',
  );
  const scraped = names.map((each: { names: string[]; type: string; port: number }) => {
    expect([each.names.length, each.type]).toEqual([1, 'A']);
    return [each.names[0], each.port];
  });
  // The rules look for it.
  expect(read('../../observability/prometheus-alerts.yml')).toContain('up{job="lintel"}');
  const ports = Object.entries(MANAGEMENT).map(([name, shape]) => {
    const { management } = loadSettings(shape, processSources({ environment: {} })) as unknown as {
      management: { port: number };
    };
    return [name, management.port];
  });
  // Workers have the metrics of data, at the name that both have.
  const aliases = ['data', 'worker'].map((name) => compose.services[name].networks.lintel.aliases);
  expect(aliases).toEqual([['data-and-workers'], ['data-and-workers']]);
  const renamed = ports.map(([name, port]) => [name === 'data' ? 'data-and-workers' : name, port]);
  expect(Object.fromEntries(scraped)).toEqual(Object.fromEntries(renamed));
  // The images listen for it outside of the container, too.
  expect(read('../../images/Dockerfile')).toContain('SVC_MANAGEMENT_HOST=0.0.0.0');
});

test('rules are files that the container has', () => {
  const mounted = compose.services.prometheus.volumes.map((volume: string) => volume.split(':')[1]);
  expect(prometheus.rule_files).toHaveLength(1);
  for (const file of prometheus.rule_files) expect(mounted).toContain(file);
});

test('Grafana asks the Prometheus of the profile, as often as that asks the services, and has all dashboards', () => {
  const { environment, volumes } = compose.services.grafana;
  const [source] = parse(read('../../observability/grafana/provisioning/datasources/lintel.yml')).datasources;
  expect([source.type, source.url, source.jsonData.timeInterval]).toEqual([
    'prometheus',
    'http://prometheus:9090',
    prometheus.global.scrape_interval,
  ]);
  const [provider] = parse(read('../../observability/grafana/provisioning/dashboards/lintel.yml')).providers;
  const mounted = new Map(volumes.map((volume: string) => volume.split(':').slice(0, 2).reverse()));
  const folder = mounted.get(provider.options.path);
  expect(readdirSync(new URL(`../${folder}`, import.meta.url))).toContain('lintel-overview.json');
  expect(environment.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH).toBe(`${provider.options.path}/lintel-overview.json`);
  // Where the image looks for what is provided.
  expect(mounted.get('/etc/grafana/provisioning')).toBe('../observability/grafana/provisioning');
});

test('other targets are services of the file', () => {
  const targets = prometheus.scrape_configs.flatMap((each: { static_configs?: { targets: string[] }[] }) =>
    (each.static_configs ?? []).flatMap((entry) => entry.targets),
  );
  for (const target of targets) expect(Object.keys(compose.services)).toContain(target.split(':')[0]);
  expect(targets).toContain(
    `collector:${collector.service.telemetry.metrics.readers[0].pull.exporter.prometheus.port}`,
  );
});
