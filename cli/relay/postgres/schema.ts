/**
 * Returns the statements that create a relay's tables and functions, unless they exist. Addresses and hashes are text,
 * as in messages, so that a host can read them.
 * @param schema Name of the schema: lower-case letters, digits and underscores.
 */
export function schemaOf(schema: string): string {
  return `
CREATE SCHEMA IF NOT EXISTS ${schema};
SET LOCAL search_path = ${schema};

-- One row. Every writer locks it, so that places and news become visible in their order.
CREATE TABLE IF NOT EXISTS counter (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  news bigint NOT NULL
);
INSERT INTO counter (news) VALUES (0) ON CONFLICT DO NOTHING;

CREATE TABLE IF NOT EXISTS channels (
  id text PRIMARY KEY,
  fields text NOT NULL,
  key1 text NOT NULL,
  key2 text NOT NULL,
  -- Places of the first message and after the last one.
  first bigint NOT NULL,
  next bigint NOT NULL,
  bytes bigint NOT NULL DEFAULT 0,
  -- News of the last message.
  written bigint NOT NULL DEFAULT 0,
  -- Whether each player's session key or wallet has signed something.
  signed1 boolean NOT NULL DEFAULT false,
  signed2 boolean NOT NULL DEFAULT false,
  -- News of the last consent with which the other player asked each key to open, and whether its signature is checked.
  asked1 bigint,
  asked2 bigint,
  checked1 boolean NOT NULL DEFAULT false,
  checked2 boolean NOT NULL DEFAULT false
);
CREATE INDEX IF NOT EXISTS channels_written ON channels (written);
CREATE INDEX IF NOT EXISTS channels_asked1 ON channels (key1, checked1, asked1) WHERE asked1 IS NOT NULL;
CREATE INDEX IF NOT EXISTS channels_asked2 ON channels (key2, checked2, asked2) WHERE asked2 IS NOT NULL;

CREATE TABLE IF NOT EXISTS messages (
  channel text NOT NULL REFERENCES channels ON DELETE CASCADE,
  place bigint NOT NULL,
  slot text NOT NULL,
  -- Number of the message in its slot.
  copy integer NOT NULL,
  digest bytea NOT NULL,
  line text NOT NULL,
  PRIMARY KEY (channel, place),
  UNIQUE (channel, digest),
  UNIQUE (channel, slot, copy)
);

CREATE TABLE IF NOT EXISTS seeks (
  key text NOT NULL,
  opponent text NOT NULL,
  player text NOT NULL,
  body text NOT NULL,
  ends bigint NOT NULL,
  client text NOT NULL,
  is_answered boolean NOT NULL,
  added bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (key, opponent)
);
CREATE INDEX IF NOT EXISTS seeks_opponent ON seeks (opponent, added);

-- Adds messages in order, and returns what became of each: added, known, full or unknown (there is no such channel).
CREATE OR REPLACE FUNCTION append(batch jsonb, first_place bigint, max_bytes bigint) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  m record;
  c channels;
  hash bytea;
  size integer;
  copies integer;
  number integer;
  others text[];
  n bigint;
  outcomes text[] := '{}';
BEGIN
  SELECT news INTO STRICT n FROM counter FOR UPDATE;
  FOR m IN
    SELECT * FROM ROWS FROM (
      jsonb_to_recordset(batch) AS (
        id text, fields text, key1 text, key2 text, player integer, is_checked boolean, is_consent boolean,
        slot text, slot_size integer, line text
      )
    ) WITH ORDINALITY AS each ORDER BY ordinality
  LOOP
    IF m.fields IS NOT NULL THEN
      INSERT INTO channels (id, fields, key1, key2, first, next)
      VALUES (m.id, m.fields, m.key1, m.key2, first_place, first_place)
      ON CONFLICT DO NOTHING;
    END IF;
    SELECT * INTO c FROM channels WHERE id = m.id;
    IF NOT FOUND THEN
      outcomes := outcomes || 'unknown'::text;
      CONTINUE;
    END IF;
    hash := sha256(convert_to(m.line, 'UTF8'));
    IF EXISTS (SELECT FROM messages WHERE channel = m.id AND digest = hash) THEN
      outcomes := outcomes || 'known'::text;
      CONTINUE;
    END IF;
    SELECT count(*), coalesce(max(copy), 0) + 1 INTO copies, number
    FROM messages WHERE channel = m.id AND slot = m.slot;
    IF copies >= m.slot_size THEN
      outcomes := outcomes || 'full'::text;
      CONTINUE;
    END IF;
    size := octet_length(m.line);
    IF c.bytes + size > max_bytes THEN
      -- The players have the older messages in their logs.
      DELETE FROM messages WHERE channel = m.id AND place <= (
        SELECT max(place) FROM (
          SELECT place, sum(octet_length(line)) OVER (ORDER BY place DESC) AS until FROM messages WHERE channel = m.id
        ) AS sized WHERE until > max_bytes / 2
      );
      SELECT coalesce(min(place), c.next), coalesce(sum(octet_length(line)), 0) INTO c.first, c.bytes
      FROM messages WHERE channel = m.id;
    END IF;
    n := n + 1;
    INSERT INTO messages VALUES (m.id, c.next, m.slot, number, hash, m.line);
    -- The other players who have signed something must read it.
    others := array_remove(ARRAY[
      CASE WHEN c.signed1 AND NOT (m.is_checked AND m.player = 1) THEN c.key1 END,
      CASE WHEN c.signed2 AND NOT (m.is_checked AND m.player = 2) THEN c.key2 END
    ], NULL);
    UPDATE channels SET
      first = c.first,
      next = c.next + 1,
      bytes = c.bytes + size,
      written = n,
      signed1 = signed1 OR (m.is_checked AND m.player = 1),
      signed2 = signed2 OR (m.is_checked AND m.player = 2),
      asked1 = CASE WHEN m.is_consent AND m.player = 2 THEN n ELSE asked1 END,
      asked2 = CASE WHEN m.is_consent AND m.player = 1 THEN n ELSE asked2 END,
      checked1 = checked1 OR (m.is_consent AND m.player = 2 AND m.is_checked),
      checked2 = checked2 OR (m.is_consent AND m.player = 1 AND m.is_checked)
    WHERE id = m.id;
    -- A notification has at most 8,000 bytes.
    PERFORM pg_notify('${schema}', json_build_object(
      'place', n, 'id', m.id, 'at', c.next, 'keys', others, 'line', CASE WHEN size < 7000 THEN m.line END
    )::text);
    outcomes := outcomes || 'added'::text;
  END LOOP;
  UPDATE counter SET news = n;
  RETURN outcomes;
END $$;

-- Identifies the history of the database, which changes when a replica takes over; null if it cannot be identified.
CREATE OR REPLACE FUNCTION history() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT system_identifier FROM pg_control_system()) || left(pg_walfile_name(pg_current_wal_lsn()), 8);
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END $$;

-- Drops the least recently written channels, at most 50, until the others are within the limits; returns their number.
CREATE OR REPLACE FUNCTION prune(max_channels bigint, max_bytes numeric) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  dropped text;
  total integer := 0;
BEGIN
  PERFORM FROM counter FOR UPDATE;
  FOR dropped IN
    WITH totals AS (
      SELECT count(*) AS channels, coalesce(sum(bytes), 0) AS bytes FROM channels
    ), oldest AS (
      SELECT id, row_number() OVER older AS number, sum(bytes) OVER older - bytes AS freed
      FROM (SELECT id, written, bytes FROM channels ORDER BY written LIMIT 50) AS candidates
      WINDOW older AS (ORDER BY written)
    )
    DELETE FROM channels USING oldest, totals WHERE channels.id = oldest.id
    AND (oldest.number <= totals.channels - max_channels OR oldest.freed < totals.bytes - max_bytes)
    RETURNING channels.id
  LOOP
    PERFORM pg_notify('${schema}', json_build_object('dropped', dropped)::text);
    total := total + 1;
  END LOOP;
  RETURN total;
END $$;
`;
}
