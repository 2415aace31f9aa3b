import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { CredentialSet } from '../server-records/server-records.entities.js';

/** A sealed value by credential set and variable. `serverId` is the id of a set (contract §3.5). */
@Entity('server_credentials')
export class ServerCredential {
  @ForeignKey(() => CredentialSet, { name: 'server_credentials_server_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'server_id', primaryKeyConstraintName: 'server_credentials_pk' })
  serverId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'server_credentials_pk' })
  name!: string;

  @Column({ type: 'text' })
  sealed!: string;
}
