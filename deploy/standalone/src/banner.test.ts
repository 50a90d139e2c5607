import { banner } from './banner.ts';

test('the addresses have the configured paths', () => {
  const text = banner({
    url: 'http://localhost:8080',
    paths: { rest: '/api', docs: '/api/docs' },
    consolePath: '/console',
    managementUrl: 'http://localhost:9090',
    database: 'db.example:5432/shop (svc.datasource.url)',
    application: 'Sales',
    users: [],
    requests: [],
  });
  expect(text).toContain('Sales is at http://localhost:8080/api\n');
  expect(text).toContain('API explorer: http://localhost:8080/api/docs\n');
  expect(text).toContain('Console: http://localhost:8080/console\n');
  expect(text).toContain('Database: db.example:5432/shop (svc.datasource.url)\n');
  expect(text).not.toContain('/rest');
});
