import { createTabStorage, type TabWindow } from './tab-storage.ts';

function createTab() {
  const stored = new Map<string, string>();
  const openPage = () => {
    const listeners = new Map<string, () => void>();
    const page: TabWindow = {
      sessionStorage: {
        getItem: (name) => stored.get(name) ?? null,
        setItem: (name, value) => void stored.set(name, value),
        removeItem: (name) => void stored.delete(name),
      },
      addEventListener: (type, listener) => void listeners.set(type, listener),
    };
    return {
      storage: createTabStorage('tokens', page),
      leave: () => listeners.get('pagehide')?.(),
      showAgain: () => listeners.get('pageshow')?.(),
    };
  };
  return { stored, openPage };
}

test('values survive a reload, and are in the storage of the browser only between the two pages', () => {
  const { stored, openPage } = createTab();
  const first = openPage();
  first.storage.setItem('login', 'secret');
  expect([...stored]).toEqual([]);
  first.leave();
  expect([...stored.values()]).toEqual(['{"login":"secret"}']);
  const second = openPage();
  expect(second.storage.getItem('login')).toBe('secret');
  expect([...stored]).toEqual([]);
});

test('a page that is shown again from the memory of the browser takes its values out of the storage', () => {
  const { stored, openPage } = createTab();
  const { storage, leave, showAgain } = openPage();
  storage.setItem('login', 'secret');
  leave();
  showAgain();
  expect([...stored]).toEqual([]);
  expect(storage.getItem('login')).toBe('secret');
});

test('what was removed is stored nowhere', () => {
  const { stored, openPage } = createTab();
  const { storage, leave } = openPage();
  storage.setItem('login', 'secret');
  storage.removeItem('login');
  leave();
  expect(storage.getItem('login')).toBeNull();
  expect([...stored]).toEqual([]);
});
