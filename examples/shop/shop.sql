-- A small shop, invented for the examples of assay. It has what makes SQL go
-- wrong: NULLs, ties, names that occur twice, categories in categories, web
-- orders without an employee, products that nobody bought.

CREATE TABLE categories (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    parent_id INTEGER REFERENCES categories (id)
);
CREATE TABLE products (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    category_id INTEGER NOT NULL REFERENCES categories (id),
    price REAL NOT NULL,
    stock INTEGER,               -- NULL: made to order
    weight_kg REAL,              -- NULL: not known
    sku TEXT NOT NULL            -- digits, but a text: leading zeros count
);
CREATE TABLE customers (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT,
    country TEXT NOT NULL,
    email TEXT,
    joined_on TEXT NOT NULL,     -- YYYY-MM-DD
    newsletter INTEGER NOT NULL  -- 0 or 1
);
CREATE TABLE employees (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    manager_id INTEGER REFERENCES employees (id),
    salary INTEGER NOT NULL,
    hired_on TEXT NOT NULL
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    employee_id INTEGER REFERENCES employees (id),  -- NULL: web order
    ordered_on TEXT NOT NULL,
    status TEXT NOT NULL,        -- open, shipped, delivered, cancelled
    shipping REAL NOT NULL
);
CREATE TABLE order_items (
    order_id INTEGER NOT NULL REFERENCES orders (id),
    product_id INTEGER NOT NULL REFERENCES products (id),
    quantity INTEGER NOT NULL,
    unit_price REAL NOT NULL,
    discount REAL,               -- 0.1 is ten per cent; NULL: none
    PRIMARY KEY (order_id, product_id)
);
CREATE TABLE reviews (
    id INTEGER PRIMARY KEY,
    product_id INTEGER NOT NULL REFERENCES products (id),
    customer_id INTEGER REFERENCES customers (id),  -- NULL: anonymous
    stars INTEGER NOT NULL,
    body TEXT,
    written_on TEXT NOT NULL
);

INSERT INTO categories VALUES
    (1, 'Kitchen', NULL),
    (2, 'Garden', NULL),
    (3, 'Office', NULL),
    (4, 'Coffee', 1),
    (5, 'Knives', 1),
    (6, 'Seeds', 2),
    (7, 'Paper', 3),
    (8, 'Gifts', NULL),
    (9, 'Books', NULL);

INSERT INTO products VALUES
    (1, 'Pour-over kettle', 4, 49.9, 12, 1.1, '00417'),
    (2, 'Hand grinder', 4, 79.0, 5, 0.7, '00418'),
    (3, 'Filter papers', 4, 6.5, 240, 0.2, '00419'),
    (4, 'Chef''s knife', 5, 89.0, 7, 0.4, '01020'),
    (5, 'Paring knife', 5, 24.5, 0, 0.1, '01021'),
    (6, 'Bread knife', 5, 39.0, 9, NULL, '01022'),
    (7, 'Cutting board', 1, 34.0, 15, 1.8, '01100'),
    (8, 'Tomato seeds', 6, 3.2, 310, 0.01, '20001'),
    (9, 'Basil seeds', 6, 2.8, 180, 0.01, '20002'),
    (10, 'Watering can', 2, 27.5, 0, 1.3, '20100'),
    (11, 'Garden bench', 2, 249.0, NULL, 24.5, '20200'),
    (12, 'Notebook A5', 7, 9.9, 95, 0.3, '30001'),
    (13, 'Notebook A4', 7, 12.9, 60, 0.5, '30002'),
    (14, 'Desk lamp', 3, 64.0, 4, 2.2, '30100'),
    (15, 'Crème brûlée torch', 1, 39.0, 3, 0.6, '01200'),
    (16, 'Gift card', 8, 25.0, NULL, NULL, '90001');

INSERT INTO customers VALUES
    (1, 'Ada Brandt', 'Hamburg', 'Germany', 'ada@example.org', '2023-02-11', 1),
    (2, 'Jürgen Weiß', 'Köln', 'Germany', NULL, '2023-02-27', 0),
    (3, 'Chloé Perrin', 'Lyon', 'France', 'chloe@example.org', '2023-05-03', 1),
    (4, 'Marek Nowicki', 'Kraków', 'Poland', 'marek@example.org', '2023-08-19', 0),
    (5, 'Åsa Lindholm', 'Malmö', 'Sweden', NULL, '2024-01-08', 1),
    (6, 'Tom Ellery', 'Leeds', 'United Kingdom', 'tom@example.org', '2024-01-30', 0),
    (7, 'Ines Duarte', 'Porto', 'Portugal', 'ines@example.org', '2024-04-14', 1),
    (8, 'Ada Brandt', 'Wien', 'Austria', 'ada.b@example.org', '2024-06-21', 0),
    (9, 'Luc Moreau', 'Lyon', 'France', NULL, '2024-09-02', 0),
    (10, 'Mei Tanaka', NULL, 'Japan', 'mei@example.org', '2025-03-17', 1),
    (11, 'Piet de Wit', 'Utrecht', 'Netherlands', 'piet@example.org', '2025-11-05', 1),
    (12, 'Rosa Conti', 'Torino', 'Italy', 'rosa@example.org', '2026-05-29', 0);

INSERT INTO employees VALUES
    (1, 'Helga Stein', 'owner', NULL, 6100, '2019-01-02'),
    (2, 'Omar Haddad', 'sales', 1, 3900, '2020-03-16'),
    (3, 'Britt Olsen', 'sales', 1, 4050, '2021-07-01'),
    (4, 'Yuki Mori', 'warehouse', 1, 3300, '2021-09-13'),
    (5, 'Paolo Neri', 'warehouse', 4, 3100, '2023-04-03'),
    (6, 'Eva Kral', 'sales', 3, 3900, '2024-02-01');

INSERT INTO orders VALUES
    (1, 1, 2, '2025-01-14', 'delivered', 4.9),
    (2, 3, NULL, '2025-01-20', 'delivered', 9.9),
    (3, 2, 2, '2025-02-03', 'delivered', 4.9),
    (4, 4, 3, '2025-02-17', 'cancelled', 0.0),
    (5, 1, NULL, '2025-03-05', 'delivered', 4.9),
    (6, 5, 3, '2025-03-28', 'delivered', 12.5),
    (7, 7, NULL, '2025-04-11', 'delivered', 9.9),
    (8, 6, 2, '2025-05-02', 'delivered', 14.0),
    (9, 3, 6, '2025-06-19', 'delivered', 9.9),
    (10, 8, 6, '2025-07-07', 'delivered', 4.9),
    (11, 1, 2, '2025-08-30', 'delivered', 0.0),
    (12, 9, NULL, '2025-10-12', 'delivered', 9.9),
    (13, 10, 3, '2025-11-25', 'delivered', 24.0),
    (14, 4, NULL, '2025-12-09', 'delivered', 9.9),
    (15, 7, 6, '2026-01-16', 'delivered', 9.9),
    (16, 11, NULL, '2026-02-08', 'delivered', 4.9),
    (17, 5, 3, '2026-03-21', 'shipped', 12.5),
    (18, 1, 2, '2026-04-18', 'cancelled', 4.9),
    (19, 3, NULL, '2026-05-30', 'shipped', 9.9),
    (20, 11, 6, '2026-06-12', 'open', 4.9),
    (21, 2, NULL, '2026-06-24', 'open', 4.9);

INSERT INTO order_items VALUES
    (1, 1, 1, 49.9, NULL), (1, 3, 4, 6.5, NULL),
    (2, 4, 1, 89.0, 0.1), (2, 7, 1, 34.0, NULL),
    (3, 12, 5, 9.9, 0.15),
    (4, 11, 1, 249.0, NULL),
    (5, 2, 1, 79.0, NULL), (5, 3, 2, 6.5, NULL),
    (6, 14, 1, 64.0, NULL), (6, 12, 3, 9.9, NULL),
    (7, 8, 10, 3.2, 0.1), (7, 9, 10, 2.8, 0.1),
    (8, 4, 1, 89.0, NULL), (8, 5, 2, 24.5, NULL), (8, 6, 1, 39.0, NULL),
    (9, 15, 1, 39.0, NULL),
    (10, 10, 1, 27.5, NULL), (10, 8, 4, 3.2, NULL),
    (11, 3, 6, 6.5, 0.1), (11, 1, 1, 49.9, NULL),
    (12, 13, 2, 12.9, NULL), (12, 12, 2, 9.9, NULL),
    (13, 2, 1, 79.0, NULL), (13, 1, 1, 49.9, 0.05), (13, 3, 8, 6.5, NULL),
    (14, 6, 1, 39.0, NULL), (14, 7, 1, 34.0, NULL),
    (15, 9, 6, 2.8, NULL), (15, 10, 2, 27.5, NULL),
    (16, 14, 2, 64.0, 0.2),
    (17, 7, 1, 34.0, NULL), (17, 4, 1, 89.0, NULL),
    (18, 13, 1, 12.9, NULL),
    (19, 3, 10, 6.5, 0.1), (19, 2, 1, 79.0, NULL),
    (20, 12, 20, 9.9, 0.2), (20, 13, 10, 12.9, 0.2),
    (21, 5, 1, 24.5, NULL);

INSERT INTO reviews VALUES
    (1, 1, 1, 5, 'Pours like a dream', '2025-01-29'),
    (2, 4, 3, 4, NULL, '2025-02-15'),
    (3, 12, 2, 3, 'Paper too thin', '2025-02-20'),
    (4, 2, 1, 5, 'Quiet and quick', '2025-03-22'),
    (5, 14, 5, 2, 'Flickers — sent back', '2025-04-13'),
    (6, 8, 7, 5, NULL, '2025-05-30'),
    (7, 9, 7, 4, 'Half of them grew', '2025-06-15'),
    (8, 4, 6, 5, 'Sharp. Mind your fingers!', '2025-05-21'),
    (9, 10, 8, 1, 'Leaks', '2025-07-20'),
    (10, 3, NULL, 4, NULL, '2025-09-01'),
    (11, 1, 10, 4, '美しい', '2025-12-20'),
    (12, 2, 10, 5, NULL, '2025-12-20'),
    (13, 7, 4, 3, NULL, '2026-01-04'),
    (14, 10, 7, 2, 'Leaks a little', '2026-02-01'),
    (15, 14, NULL, 4, 'Works for me', '2026-03-02');
