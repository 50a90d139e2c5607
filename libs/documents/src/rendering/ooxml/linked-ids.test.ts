import { linkedIds } from './linked-ids.ts';

test.each([
  ['a link of a text', '<w:hyperlink r:id="a"/>', ['a']],
  ['a link of a picture', '<p:x><a:hlinkClick xmlns:r="x" r:id="a" /></p:x>', ['a']],
  ['no reference', '<w:p/>', ['a']],
  ['a linked picture', '<w:hyperlink r:id="a"/><a:blip r:link="a"/>', []],
  ['a picture', "<a:blip r:embed = 'a'/>", []],
  ['an object', '<o:OLEObject Type="Link" r:id="a"/>', []],
  ['a picture whose other attribute seems to end the tag', '<a:blip w:x=">" r:link="a"/>', []],
  ['a picture whose other attribute seems to begin a link', '<a:blip w:x="&#60;w:hyperlink " r:link="a"/>', []],
  ['a picture with a reference to a character', '<a:blip r:link="&#x61;"/><a:blip r:link="&#097;"/>', []],
])('%s', async (_, text, expected) => {
  expect([...(await linkedIds(text, new Set(['a'])))]).toEqual(expected);
});

test('an id that no program writes is of no link', async () => {
  expect([...(await linkedIds('<w:hyperlink r:id="a b"/>', new Set(['a b', 'c'])))]).toEqual(['c']);
});
