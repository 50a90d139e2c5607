import { Input } from '@mantine/core';
import { type ComponentProps, type CSSProperties, useId } from 'react';

interface PlainInputProps extends Omit<ComponentProps<'input'>, 'size'> {
  /** Without one it needs an `aria-label`. */
  readonly label?: string;
  readonly withAsterisk?: boolean;
  readonly error?: string | undefined;
  readonly description?: string;
  readonly size?: keyof typeof STYLES;
}

const { classes } = Input;
/** With what the kit sets for each size. */
const STYLES = {
  xs: { '--input-height': 'var(--input-height-xs)', '--input-fz': 'var(--mantine-font-size-xs)' },
  sm: { '--input-height': 'var(--input-height-sm)', '--input-fz': 'var(--mantine-font-size-sm)' },
};
const BEFORE_TEXT = { '--input-margin-bottom': 'calc(var(--mantine-spacing-xs) / 2)' };

/**
 * The `TextInput` of the kit, with its styles, as one component instead of ten: a form has dozens of them, and a table
 * of lines hundreds.
 */
export function PlainInput({
  label,
  withAsterisk,
  error,
  description,
  size = 'sm',
  className,
  ...input
}: PlainInputProps) {
  const id = useId();
  const hasError = (error !== undefined && error !== '') || undefined;
  const errorId = hasError && `${id}-error`;
  const descriptionId = description === undefined ? undefined : `${id}-description`;
  const described = [errorId, descriptionId].filter((each) => each !== undefined).join(' ');
  const hasText = described !== '';
  return (
    <div className={`${classes.root} ${className ?? ''}`} data-error={hasError}>
      {label !== undefined && (
        <label className={classes.label} htmlFor={id}>
          {label}
          {withAsterisk === true && (
            <span className={classes.required} aria-hidden>
              {' *'}
            </span>
          )}
        </label>
      )}
      <div
        className={classes.wrapper}
        style={{ ...STYLES[size], ...(hasText && BEFORE_TEXT) } as CSSProperties}
        data-variant="default"
        data-size={size}
        data-error={hasError}
      >
        <input
          id={id}
          className={classes.input}
          aria-invalid={hasError}
          aria-describedby={hasText ? described : undefined}
          {...input}
        />
      </div>
      {description !== undefined && (
        <p id={descriptionId} className={classes.description}>
          {description}
        </p>
      )}
      {hasError && (
        <p id={errorId} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}
