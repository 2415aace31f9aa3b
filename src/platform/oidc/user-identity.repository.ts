import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../database/database.service.js';

/** A person at a provider. */
export interface Identity {
  issuer: string;
  subject: string;
}

/** Stores which user a person at a provider is (contract §2.9). */
@Injectable()
export class OidcIdentitiesRepository {
  constructor(private readonly database: DatabaseService) {}

  async userIdOf({ issuer, subject }: Identity): Promise<string | null> {
    const row = await this.database.row<{ id: string }>(
      'SELECT user_id AS id FROM user_identities WHERE issuer = $1 AND subject = $2',
      [issuer, subject],
    );
    return row?.id ?? null;
  }

  /** Returns the subject that a user has at the issuer, or null. */
  async subjectOf(userId: string, issuer: string): Promise<string | null> {
    const row = await this.database.row<{ subject: string }>(
      'SELECT subject FROM user_identities WHERE user_id = $1 AND issuer = $2',
      [userId, issuer],
    );
    return row?.subject ?? null;
  }

  async insert({ issuer, subject }: Identity, userId: string): Promise<void> {
    await this.database.change('INSERT INTO user_identities (issuer, subject, user_id) VALUES ($1, $2, $3)', [
      issuer,
      subject,
      userId,
    ]);
  }

  /** Returns the subject that a user had at the issuer, or null. */
  async delete(userId: string, issuer: string): Promise<string | null> {
    const row = await this.database.row<{ subject: string }>(
      'DELETE FROM user_identities WHERE user_id = $1 AND issuer = $2 RETURNING subject',
      [userId, issuer],
    );
    return row?.subject ?? null;
  }
}
