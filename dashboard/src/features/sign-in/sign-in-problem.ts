/** What happened and what to do, for each reason with which the service leads a browser back to the sign-in. */
const SENTENCES: Record<string, (name: string) => [string, string]> = {
  off: () => ['This service knows no other sign-in.', 'Sign in with your e-mail and password.'],
  unavailable: (name) => [
    `${name} cannot be reached.`,
    'Those who are signed in can go on. Try again in a minute, and ask your administrator if it stays away.',
  ],
  misconfigured: (name) => [
    `The sign-in with ${name} is not set up right.`,
    'Ask your administrator: the log of the service says what is wrong.',
  ],
  expired: () => [
    'This sign-in is too old, or was begun in another window.',
    'Begin again here, and finish it in the same window.',
  ],
  cancelled: (name) => [`The sign-in with ${name} was cancelled.`, 'Begin again if that was a mistake.'],
  invalid: (name) => [
    `The answer of ${name} was not accepted.`,
    'Begin again. If it happens twice, ask your administrator.',
  ],
  no_role: () => [
    'You have no role here.',
    'Ask an Admin for access: your account is in none of the groups that have one.',
  ],
  no_email: (name) => [
    `${name} sent no verified e-mail address of yours.`,
    'Confirm your address there, or ask your administrator to send it to this service.',
  ],
  email_taken: () => [
    'A user with your e-mail address is here already.',
    'Ask an Owner to join that user with your account.',
  ],
  disabled: () => ['Your user is disabled here.', 'Ask an Admin to enable it.'],
  other_person: () => ['You signed in as somebody else.', 'Confirm with the account that you use here.'],
  not_confirmed: (name) => [
    `${name} did not ask for your credentials again.`,
    'Begin again and enter them. If you were not asked for them, ask your administrator.',
  ],
};

/** Returns what happened and what to do. A word that this page does not know has a sentence too. */
export function signInProblem(reason: string, name: string): [string, string] {
  const sentence = Object.hasOwn(SENTENCES, reason) ? SENTENCES[reason] : undefined;
  return (
    sentence?.(name) ?? [
      'The sign-in did not work.',
      'Begin again, and ask your administrator if it fails again.',
    ]
  );
}
