import { scopeText } from './scope-texts.ts';

test.each([
  ['en', /until you log out$/],
  ['de', /bis Sie sich abmelden$/],
  ['zh-CN', /直到您退出登录$/],
])('in %s a client with offline_access keeps its access until the logout', (language, text) => {
  expect(scopeText(language, 'offline_access', 'rest-api')).toMatch(text);
});
