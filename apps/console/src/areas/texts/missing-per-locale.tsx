import { Badge, Button, Group } from '@mantine/core';
import { useText } from '../../context.ts';
import { DEFAULT_LOCALE, type TextKind, useCaptionsOfLocales } from './use-captions.ts';

interface MissingPerLocaleProps {
  readonly locales: readonly string[];
  readonly kind: TextKind;
  readonly onChoose: (locale: string, missing: number) => void;
}

/** How many captions each locale lacks; a locale that is chosen shows them, or all if it lacks none. */
export function MissingPerLocale({ locales, kind, onChoose }: MissingPerLocaleProps) {
  const text = useText();
  const all = [DEFAULT_LOCALE, ...locales];
  const found = useCaptionsOfLocales(all, kind);
  return (
    <Group gap="xs" component="section" aria-label={text('texts.missingPerLocale')}>
      {all.map((locale, at) => {
        const captions = found[at]?.data?.captions;
        if (captions === undefined) return null;
        const count = captions.filter((caption) => caption.text === null).length;
        const name = locale === DEFAULT_LOCALE ? text('texts.default') : locale;
        return (
          <Button
            key={locale}
            size="compact-sm"
            onClick={() => onChoose(locale, count)}
            rightSection={
              <Badge variant="default" size="sm">
                {text('texts.missingCount', { count })}
              </Badge>
            }
          >
            {name}
          </Button>
        );
      })}
    </Group>
  );
}
