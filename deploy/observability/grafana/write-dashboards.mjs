/**
 * `node deploy/observability/grafana/write-dashboards.mjs`: writes the dashboards that `src/dashboards` describes as
 * the files that Grafana reads.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { DASHBOARD_FOLDER, DASHBOARDS, fileOf } from './src/dashboards.ts';

mkdirSync(DASHBOARD_FOLDER, { recursive: true });
for (const { name, text } of DASHBOARDS.map(fileOf)) {
  writeFileSync(new URL(name, DASHBOARD_FOLDER), text);
  process.stdout.write(`${name}\n`);
}
