import { MarkedText } from '../../../parts/marked-text';
import { type Effective, extentWords, type Given } from '../../../shared/mcp/effective-access';
import styles from '../access.module.css';
import { gives, type Grant } from '../grants';

interface SourcesProps {
  grant: Grant;
  given: readonly Given[];
  effect: Effective | null;
  total: number | null;
}

/** What an agent has in all, and what each of its profiles gives. */
export function Sources({ grant, given, effect, total }: SourcesProps) {
  return (
    <section className={styles.sources} aria-label="Where it comes from">
      <h3>
        {effect === null
          ? 'Has nothing: it is refused'
          : `Has ${extentWords(effect.tools, total).toLowerCase()}, with the credentials ${effect.credentialSet}`}
      </h3>
      <ul>
        {gives(grant) && (
          <li>
            <b>Its own grant</b>:{' '}
            {extentWords(grant.has === 'all' ? null : (grant.has as readonly string[]), total).toLowerCase()}
          </li>
        )}
        {given.map(({ profile, entry }) => (
          <li key={profile}>
            Profile{' '}
            <b>
              <MarkedText text={profile} />
            </b>
            : {extentWords(entry.tools, total).toLowerCase()}
            {entry.ask !== null && ', asks first'}
            {entry.credentialSet !== 'default' && `, credentials ${entry.credentialSet}`}
          </li>
        ))}
      </ul>
      <p className="soft small">
        All of them add up. What a profile gives goes away here only by a refusal, or by a change of the
        profile.
      </p>
    </section>
  );
}
