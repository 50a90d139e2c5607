import { compareVersions } from './compare-versions.ts';

const template = (code: string, more: object = {}) => ({ code, name: `${code}.csv`, isDefault: false, ...more });

// Asserts contract/reports.md#versions.
test('attributes with different values, and templates that were added, removed or changed, are the difference', () => {
  const from = {
    attributes: { name: 'Orders', code: null, definition: '{"bands":[]}' },
    templates: [template('same'), template('old'), template('other')],
  };
  const to = {
    attributes: { name: 'All orders', code: null, definition: '{"bands":[]}' },
    templates: [template('same'), template('other', { isDefault: true }), template('new')],
  };
  expect(compareVersions(from, to)).toEqual({
    attributes: [{ attribute: 'name', from: 'Orders', to: 'All orders' }],
    templates: [
      {
        code: 'old',
        change: 'removed',
        attributes: [
          { attribute: 'code', from: 'old', to: null },
          { attribute: 'name', from: 'old.csv', to: null },
          { attribute: 'isDefault', from: false, to: null },
        ],
      },
      { code: 'other', change: 'changed', attributes: [{ attribute: 'isDefault', from: false, to: true }] },
      {
        code: 'new',
        change: 'added',
        attributes: [
          { attribute: 'code', from: null, to: 'new' },
          { attribute: 'name', from: null, to: 'new.csv' },
          { attribute: 'isDefault', from: null, to: false },
        ],
      },
    ],
  });
});

test('equal versions have no difference, and templates that are hidden are not compared', () => {
  const content = { attributes: { name: 'Orders' }, templates: [template('same')] };
  expect(compareVersions(content, content)).toEqual({ attributes: [], templates: [] });
  expect(compareVersions(content, { attributes: { name: 'Orders' } })).toEqual({ attributes: [] });
});
