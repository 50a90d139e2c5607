import { TextInput } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { captionOf, useLanguage, useModel } from '../../context.ts';
import { PageLinks } from '../../shell/page-links.tsx';
import classes from './data.module.css';
import { keptList } from './list/list-memory.ts';
import { matchesWords } from './matches-words.ts';
import { isSystemEntity, listedEntities } from './readable-entities.ts';

/** With fewer entities a search would be in the way. */
const SEARCHED_FROM = 8;

/** The entities in the navigation. */
export function EntityNavigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const [words, setWords] = useState('');
  // Of each address: its list is kept meanwhile.
  const { pathname } = useLocation();
  const [, , open, instance] = pathname.split('/');
  const list = useRef<HTMLDivElement>(null);
  // The open one is in view when its address was opened directly. Browsers return a promise, which is no clean-up.
  useEffect(() => {
    void list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, []);
  const entities = listedEntities(model, locale).toSorted(
    (one, other) => Number(isSystemEntity(one)) - Number(isSystemEntity(other)),
  );
  return (
    <div>
      {entities.length >= SEARCHED_FROM && (
        <TextInput
          size="xs"
          my={4}
          value={words}
          onChange={({ currentTarget }) => setWords(currentTarget.value)}
          aria-label={text('data.findEntity')}
          placeholder={text('data.findEntity')}
        />
      )}
      <div className={classes['entities']} ref={list}>
        <PageLinks
          area="data"
          pages={entities
            .filter(({ entityName }) => matchesWords(words, captionOf(model, entityName), entityName))
            .map(({ entityName }) => ({
              path: entityName,
              name: captionOf(model, entityName),
              // The entry of the open list shows it as at first.
              search: open === entityName && instance === undefined ? {} : keptList(model.user.username, entityName),
            }))}
          onNavigate={onNavigate}
        />
      </div>
    </div>
  );
}
