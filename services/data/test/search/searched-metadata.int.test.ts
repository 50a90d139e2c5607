import { type DataFixture, startData } from '../data-fixture.ts';
import { library } from './library-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(library, { reader: { resourceRoles: ['reader'] } });
});
afterAll(() => data?.close());

// Asserts contract/metadata.md#details.
test('the metadata names what a search looks at', async () => {
  const searched = async (entity: string) => {
    const response = await data.send('reader', 'GET', `/metadata/entities/${entity}?details=true`);
    const { properties }: { properties: readonly { name: string; searchable?: string }[] } = response.json();
    return Object.fromEntries(properties.flatMap(({ name, searchable }) => (searchable ? [[name, searchable]] : [])));
  };
  expect(await searched('s_Book')).toEqual({ title: 'prefix', code: 'prefix', body: 'words' });
  expect(await searched('s_Loan')).toEqual({ remark: 'words', book: 'targets' });
});
