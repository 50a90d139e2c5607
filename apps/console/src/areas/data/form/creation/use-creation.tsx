import { type FoundInstance, listsKey } from '@lintel/react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { captionOf, useModel, useText } from '../../../../context.ts';
import { concreteEntitiesOf } from '../../concrete-entities.ts';
import { useForm } from '../form-context.ts';
import { nameAttributeOf } from './name-attribute.ts';

const CreationForm = lazy(async () => ({ default: (await import('./creation-form.tsx')).CreationForm }));

/** A form above a form above a form is enough. */
const MAX_DEPTH = 2;
/** Begins the options that create: no id of an instance has this character. */
const OPTION = '\u0000';

interface CreationOptions {
  /** The entity that the lookup searches. */
  readonly type: string;
  /** What was typed into the lookup. */
  readonly words: string;
  /** Whether the lookup has searched: what exists comes first. */
  readonly isReady: boolean;
  readonly onCreated: (created: FoundInstance) => void;
}

/** What a lookup needs to create what it does not find. */
interface Creation {
  /** Options for the end of the list; none without the right to create, and in forms that are opened too deep. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** For the combobox: it stays closed when the focus returns from the form of the new instance. */
  readonly focusProps: { readonly openOnFocus: boolean; readonly onFocus: () => void };
  /** @returns false if the option is none of these */
  open(option: string | null): boolean;
  /** The form of the new instance while it is open. */
  readonly form: ReactNode;
}

/** Creates an instance from a lookup that has not found it, in a form above that of the lookup. */
export function useCreation({ type, words, isReady, onCreated }: CreationOptions): Creation {
  const text = useText();
  const model = useModel();
  const { depth, setInner } = useForm();
  const queries = useQueryClient();
  const [opened, setOpened] = useState<{ readonly entity: string; readonly words: string }>();
  const [isReturning, setReturning] = useState(false);
  const typed = words.trim();
  const labelOf = (name: string): string => {
    const entity = model.entities.get(name);
    const hasName = typed !== '' && entity !== undefined && nameAttributeOf(entity, model.rights) !== undefined;
    const caption = captionOf(model, name);
    return hasName
      ? text('lookup.createNamed', { name: caption, words: typed })
      : text('lookup.create', { name: caption });
  };
  const entities = isReady && setInner !== undefined && depth < MAX_DEPTH ? concreteEntitiesOf(model, type) : [];
  return {
    options: entities.map((name) => ({ value: `${OPTION}${name}`, label: labelOf(name) })),
    focusProps: { openOnFocus: !isReturning, onFocus: () => setReturning(false) },
    open(option) {
      if (option === null || !option.startsWith(OPTION)) return false;
      setOpened({ entity: option.slice(OPTION.length), words: typed });
      setReturning(true);
      return true;
    },
    form: opened !== undefined && (
      <Suspense fallback={null}>
        <CreationForm
          {...opened}
          onClose={() => setOpened(undefined)}
          onCreated={(created) => {
            setOpened(undefined);
            onCreated(created);
            // Of the entity that was searched; the form has invalidated the lists of its own.
            void queries.invalidateQueries({ queryKey: listsKey(type) });
          }}
        />
      </Suspense>
    ),
  };
}
