-- A village library, invented for the examples of assay.

CREATE TABLE authors (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    country TEXT,
    born INTEGER
);
CREATE TABLE books (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    author_id INTEGER REFERENCES authors (id),  -- NULL: nobody knows
    year INTEGER,
    pages INTEGER,
    copies INTEGER NOT NULL
);
CREATE TABLE members (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    birth_year INTEGER NOT NULL,
    street TEXT
);
CREATE TABLE loans (
    id INTEGER PRIMARY KEY,
    book_id INTEGER NOT NULL REFERENCES books (id),
    member_id INTEGER NOT NULL REFERENCES members (id),
    lent_on TEXT NOT NULL,
    returned_on TEXT             -- NULL: still out
);

INSERT INTO authors VALUES
    (1, 'Selma Vinter', 'Norway', 1931),
    (2, 'Ortwin Kasch', 'Germany', 1948),
    (3, 'Lia Marchetti', 'Italy', 1962),
    (4, 'J. R. Holloway', NULL, NULL),
    (5, 'Noa Berglund', 'Norway', 1979);

INSERT INTO books VALUES
    (1, 'The Salt Road', 1, 1968, 312, 2),
    (2, 'Winter Ferries', 1, 1974, 248, 1),
    (3, 'Das stille Werk', 2, 1990, 402, 1),
    (4, 'A Field Guide to Fog', 3, 2001, 180, 3),
    (5, 'The Lemon Clock', 3, 2009, 264, 2),
    (6, 'Bridges of Tin', 4, 1952, NULL, 1),
    (7, 'Northern Letters', 5, 2015, 336, 2),
    (8, 'Old Songs of the Valley', NULL, NULL, 96, 1);

INSERT INTO members VALUES
    (1, 'Greta Holm', 1990, 'Mill Lane'),
    (2, 'Ivo Petrov', 1985, 'High Street'),
    (3, 'Sam Okafor', 2008, 'Mill Lane'),
    (4, 'Dana Weiss', 1951, NULL),
    (5, 'Bo Lind', 2010, 'Station Road');

INSERT INTO loans VALUES
    (1, 1, 1, '2026-01-05', '2026-01-26'),
    (2, 4, 2, '2026-01-09', '2026-01-19'),
    (3, 5, 1, '2026-02-02', '2026-03-01'),
    (4, 4, 3, '2026-02-14', '2026-02-21'),
    (5, 7, 4, '2026-03-03', NULL),
    (6, 1, 2, '2026-03-10', '2026-04-14'),
    (7, 4, 1, '2026-04-01', '2026-04-08'),
    (8, 2, 4, '2026-04-20', '2026-05-02'),
    (9, 5, 3, '2026-05-11', NULL),
    (10, 7, 1, '2026-06-01', NULL);
