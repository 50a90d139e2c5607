import { ActionIcon } from '@mantine/core';
import { IconStar } from '@tabler/icons-react';
import { useState } from 'react';
import { useModel, useText } from '../../../context.ts';
import { forgetRecord, type KeptRecord, keepRecord, keptRecords } from './kept-records.ts';

/** Adds a record or a list to the favourites of the first page, and removes it. Its key is the one of the record. */
export function FavouriteButton(record: KeptRecord) {
  const { entityName, id } = record;
  const text = useText();
  const { user, isSeen } = useModel();
  const [isKept, setKept] = useState(() =>
    keptRecords('favourites', user.username).some((each) => each.entityName === entityName && each.id === id),
  );
  if (isSeen === true) return null;
  return (
    <ActionIcon
      size="input-sm"
      aria-label={text('favourites.add')}
      aria-pressed={isKept}
      onClick={() => {
        (isKept ? forgetRecord : keepRecord)('favourites', user.username, record);
        setKept(!isKept);
      }}
    >
      <IconStar size={16} fill={isKept ? 'currentColor' : 'none'} aria-hidden />
    </ActionIcon>
  );
}
